internal import Bytewise

/// A Varlink interface as its definition describes it.
public struct InterfaceDescription: Sendable, Hashable {
    /// The text that it was parsed from, verbatim.
    public let text: String
    /// The reverse domain name, such as `org.varlink.service`.
    public let name: String
    /// The comment above the `interface` line.
    public let documentation: String
    /// In the order of the text.
    public let methods: [Method]
    /// In the order of the text.
    public let types: [TypeDefinition]
    /// In the order of the text.
    public let errors: [ErrorDefinition]

    /// A `method` of the interface.
    public struct Method: Sendable, Hashable {
        /// Without the interface.
        public var name: String
        /// The comment above it.
        public var documentation: String
        /// The parameters of a call.
        public var input: [VarlinkType.Field]
        /// The parameters of a reply.
        public var output: [VarlinkType.Field]
    }

    /// A `type` of the interface.
    public struct TypeDefinition: Sendable, Hashable {
        /// What ``VarlinkType/named(_:)`` says.
        public var name: String
        /// The comment above it.
        public var documentation: String
        /// A struct or an enumeration.
        public var type: VarlinkType
    }

    /// An `error` of the interface.
    public struct ErrorDefinition: Sendable, Hashable {
        /// Without the interface.
        public var name: String
        /// The comment above it.
        public var documentation: String
        /// The parameters that come with it.
        public var fields: [VarlinkType.Field]
    }

    /// Parses a definition in Varlink's interface definition language (varlink.org/Interface-Definition).
    ///
    /// Besides its grammar this checks that no member and no field is defined twice, and that each named type is.
    public init(parsing text: String) throws(InterfaceSyntaxError) {
        var parser = try InterfaceParser(text)
        let members = try parser.interface()
        self.text = text
        name = members.name
        documentation = members.documentation
        methods = members.methods
        types = members.types
        errors = members.errors
    }

    /// The method of that name, without the interface.
    public func method(_ name: String) -> Method? { methods.first { $0.name.isBytewiseEqual(to: name) } }

    /// The type of that name.
    public func type(_ name: String) -> TypeDefinition? { types.first { $0.name.isBytewiseEqual(to: name) } }

    /// The error of that name, without the interface.
    public func error(_ name: String) -> ErrorDefinition? { errors.first { $0.name.isBytewiseEqual(to: name) } }
}

/// What is wrong with an interface definition, and where.
public struct InterfaceSyntaxError: Error, Hashable, CustomStringConvertible {
    /// Counted from 1.
    public var line: Int
    /// What was expected there, or what is wrong.
    public var message: String

    /// `line 3: expected ':'`
    public var description: String { "line \(line): \(message)" }
}
