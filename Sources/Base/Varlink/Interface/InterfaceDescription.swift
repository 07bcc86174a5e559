internal import Bytewise

/// A description of a Varlink interface, parsed from its definition.
public struct InterfaceDescription: Sendable, Hashable {
    /// The text of the definition, verbatim.
    public let text: String
    /// The reverse-domain name, such as `org.varlink.service`.
    public let name: String
    /// The comment above the `interface` line.
    public let documentation: String
    /// The methods, in the order of the text.
    public let methods: [Method]
    /// The types, in the order of the text.
    public let types: [TypeDefinition]
    /// The errors, in the order of the text.
    public let errors: [ErrorDefinition]

    /// A `method` of the interface.
    public struct Method: Sendable, Hashable {
        /// The method's name, without the interface's.
        public var name: String
        /// The comment above the method.
        public var documentation: String
        /// The parameters of a call.
        public var input: [VarlinkType.Field]
        /// The parameters of a reply.
        public var output: [VarlinkType.Field]
    }

    /// A `type` of the interface.
    public struct TypeDefinition: Sendable, Hashable {
        /// The type's name, as used in ``VarlinkType/named(_:)``.
        public var name: String
        /// The comment above the type.
        public var documentation: String
        /// A struct or an enumeration.
        public var type: VarlinkType
    }

    /// An `error` of the interface.
    public struct ErrorDefinition: Sendable, Hashable {
        /// The error's name, without the interface's.
        public var name: String
        /// The comment above the error.
        public var documentation: String
        /// The parameters of the error.
        public var fields: [VarlinkType.Field]
    }

    /// Parses a definition in Varlink's interface definition language (varlink.org/Interface-Definition).
    ///
    /// Beyond the grammar, this checks that no member or field is defined twice, and that every named type is defined.
    ///
    /// - Parameter keepsText: `false` to leave ``text`` and all documentation empty. They are most of a description,
    ///   and checking calls needs neither.
    public init(parsing text: String, keepsText: Bool = true) throws(InterfaceSyntaxError) {
        var parser = try InterfaceParser(text, keepsComments: keepsText)
        let members = try parser.interface()
        self.text = keepsText ? text : ""
        name = members.name
        documentation = members.documentation
        methods = members.methods
        types = members.types
        errors = members.errors
    }

    /// Returns the method with this name (without the interface's), or `nil` if the interface has no such method.
    public func method(_ name: String) -> Method? { methods.first { $0.name.isBytewiseEqual(to: name) } }

    /// Returns the type with this name, or `nil` if the interface has no such type.
    public func type(_ name: String) -> TypeDefinition? { types.first { $0.name.isBytewiseEqual(to: name) } }

    /// Returns the error with this name (without the interface's), or `nil` if the interface has no such error.
    public func error(_ name: String) -> ErrorDefinition? { errors.first { $0.name.isBytewiseEqual(to: name) } }
}

/// An error in an interface definition.
public struct InterfaceSyntaxError: Error, Hashable, CustomStringConvertible {
    /// The line of the error, counted from 1.
    public var line: Int
    /// The description of the error, such as what was expected on the line.
    public var message: String

    /// The line and the message, such as `line 3: expected ':', not ','`.
    public var description: String { "line \(line): \(message)" }
}
