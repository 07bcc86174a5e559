/// A recursive descent parser for Varlink's interface definition language.
struct InterfaceParser {
    /// The parsed contents of a definition.
    struct Members {
        var name: String
        var documentation: String
        var methods: [InterfaceDescription.Method] = []
        var types: [InterfaceDescription.TypeDefinition] = []
        var errors: [InterfaceDescription.ErrorDefinition] = []
    }

    /// The maximum nesting depth of types, far above that of any real interface.
    private static let maximumDepth = 32

    private let tokens: [InterfaceToken]
    private var index = 0
    /// The uses of named types, which are checked against the definitions at the end.
    private var references: [(name: String, line: Int)] = []

    init(_ text: String, keepsComments: Bool) throws(InterfaceSyntaxError) {
        var lexer = InterfaceLexer(text, keepsComments: keepsComments)
        tokens = try lexer.tokens()
    }

    mutating func interface() throws(InterfaceSyntaxError) -> Members {
        let keyword = try expect("interface")
        let name = next()
        guard Self.isInterfaceName(name.text) else { throw name.error("expected an interface name") }
        var members = Members(name: name.text, documentation: keyword.documentation)
        var names: Set<String> = []
        while !current.isEnd {
            let keyword = next()
            let name = next()
            guard ["method", "type", "error"].contains(keyword.text) else {
                throw keyword.error("expected 'method', 'type' or 'error'")
            }
            guard Self.isMemberName(name.text) else {
                throw name.error("expected a name that begins with a capital letter")
            }
            guard names.insert(name.text).inserted else { throw name.error("'\(name.text)' is defined twice") }
            try member(keyword, name: name.text, into: &members)
        }
        let defined = Set(members.types.map(\.name))
        for reference in references where !defined.contains(reference.name) {
            throw InterfaceSyntaxError(line: reference.line, message: "type '\(reference.name)' is not defined")
        }
        return members
    }

    private mutating func member(
        _ keyword: InterfaceToken, name: String, into members: inout Members
    ) throws(InterfaceSyntaxError) {
        let documentation = keyword.documentation
        switch keyword.text {
        case "method":
            let input = try fields()
            try expect("->")
            members.methods.append(
                .init(name: name, documentation: documentation, input: input, output: try fields()))
        case "error":
            members.errors.append(.init(name: name, documentation: documentation, fields: try fields()))
        default:
            members.types.append(
                .init(name: name, documentation: documentation, type: try structureOrEnumeration(depth: 0)))
        }
    }

    private mutating func fields() throws(InterfaceSyntaxError) -> [VarlinkType.Field] {
        let start = current
        guard case .structure(let fields) = try structureOrEnumeration(depth: 0) else {
            throw start.error("expected a struct, not an enumeration")
        }
        return fields
    }

    /// Parses a struct or an enumeration. `()` is a struct without fields.
    private mutating func structureOrEnumeration(depth: Int) throws(InterfaceSyntaxError) -> VarlinkType {
        guard depth <= Self.maximumDepth else { throw current.error("types are nested too deep") }
        try expect("(")
        if consume(")") { return .structure([]) }
        var names: [String] = []
        var unique: Set<String> = []
        var fields: [VarlinkType.Field] = []
        repeat {
            let name = next()
            guard Self.isFieldName(name.text) else { throw name.error("expected a field name") }
            guard unique.insert(name.text).inserted else { throw name.error("'\(name.text)' is defined twice") }
            names.append(name.text)
            guard current.text == ":" || !fields.isEmpty else { continue }
            guard fields.count == names.count - 1 else { throw name.error("a field without type among others") }
            try expect(":")
            fields.append(
                .init(name: name.text, type: try type(depth: depth + 1), documentation: name.documentation))
        } while consume(",")
        try expect(")")
        return fields.isEmpty ? .enumeration(names) : .structure(fields)
    }

    private mutating func type(depth: Int) throws(InterfaceSyntaxError) -> VarlinkType {
        guard depth <= Self.maximumDepth else { throw current.error("types are nested too deep") }
        guard consume("?") else { return try element(depth: depth) }
        guard current.text != "?" else { throw current.error("a type cannot be nullable twice") }
        return .optional(try element(depth: depth))
    }

    private mutating func element(depth: Int) throws(InterfaceSyntaxError) -> VarlinkType {
        if current.text == "(" { return try structureOrEnumeration(depth: depth) }
        let token = next()
        switch token.text {
        case "[]": return .array(try type(depth: depth + 1))
        case "[string]": return .map(try type(depth: depth + 1))
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        case "any": return .any
        default:
            guard Self.isMemberName(token.text) else { throw token.error("expected a type") }
            references.append((token.text, token.line))
            return .named(token.text)
        }
    }

    // MARK: Tokens

    private var current: InterfaceToken { tokens[index] }

    /// Returns the current token and advances, but never past the last token, which is the end of the text.
    private mutating func next() -> InterfaceToken {
        defer { if index < tokens.count - 1 { index += 1 } }
        return current
    }

    private mutating func consume(_ text: String) -> Bool {
        guard current.text == text else { return false }
        _ = next()
        return true
    }

    @discardableResult
    private mutating func expect(_ text: String) throws(InterfaceSyntaxError) -> InterfaceToken {
        let token = next()
        guard token.text == text else { throw token.error("expected '\(text)'") }
        return token
    }

    // MARK: Names

    /// Returns whether `name` matches `[A-Za-z]([-]*[A-Za-z0-9])*(\.[A-Za-z0-9]([-]*[A-Za-z0-9])*)+`.
    static func isInterfaceName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 2, name.utf8.first?.isLetter == true else { return false }
        return parts.allSatisfy { part in
            part.first?.isLetterOrDigit == true && part.last?.isLetterOrDigit == true
                && part.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
        }
    }

    /// Returns whether `name` matches `[A-Z][A-Za-z0-9]*`.
    static func isMemberName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first.isLetter, first < UInt8(ascii: "a") else { return false }
        return name.utf8.allSatisfy(\.isLetterOrDigit)
    }

    /// Returns whether `name` matches `[A-Za-z](_?[A-Za-z0-9])*`.
    private static func isFieldName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        return name.utf8.first?.isLetter == true && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isLetterOrDigit) }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }

    fileprivate var isLetterOrDigit: Bool {
        isLetter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
    }
}
