internal import Bytewise

/// The members of an interface, for introspection and for checking calls.
struct InterfaceDefinition {
    let name: String
    var methods: [Method] = []
    var signals: [Signal] = []
    var properties: [Property] = []

    struct Method {
        let name: String
        var input: [Argument] = []
        var output: [Argument] = []

        /// The required signature of a call's arguments.
        var signature: String { input.map(\.signature).joined() }
    }

    struct Signal {
        let name: String
        let arguments: [Argument]
    }

    struct Property {
        let name: String
        let signature: String
        var isWritable = false
    }

    struct Argument {
        let name: String
        let signature: String

        init(_ name: String, _ signature: String) {
            self.name = name
            self.signature = signature
        }
    }

    /// Returns the method of that name, or `nil` if there is none.
    func method(_ name: String) -> Method? { methods.first { $0.name.isBytewiseEqual(to: name) } }

    /// Returns the property of that name, or `nil` if there is none.
    func property(_ name: String) -> Property? { properties.first { $0.name.isBytewiseEqual(to: name) } }
}
