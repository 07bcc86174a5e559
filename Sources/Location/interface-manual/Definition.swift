internal import Varlink

/// The members of an interface, formatted in Varlink's interface definition language.
enum Definition {
    /// The maximum length of a line, in characters: it fits, indented, into a terminal of 80 columns.
    private static let width = 66

    /// Returns the lines of `method Name(field: type) -> (field: type)`.
    static func method(_ method: InterfaceDescription.Method) -> [String] {
        let input = method.input.map(field)
        let output = method.output.map(field)
        let call = "method \(method.name)" + line(input)
        if call.count + " -> ".count + line(output).count <= width { return ["\(call) -> \(line(output))"] }
        // Break the parameters of the call before the parameters of the reply, which are fewer.
        return lines(list(output, after: (input.isEmpty ? call : "method \(method.name)" + broken(input)) + " -> "))
    }

    /// Returns the lines of `type Name (field: type)` or `type Name (one, other)`.
    static func type(_ type: InterfaceDescription.TypeDefinition) -> [String] {
        switch type.type {
        case .structure(let fields): lines(list(fields.map(field), after: "type \(type.name) "))
        case .enumeration(let names): lines(list(names, after: "type \(type.name) "))
        case let other: ["type \(type.name) \(name(of: other))"]
        }
    }

    /// Returns the lines of `error Name (field: type)`.
    static func error(_ error: InterfaceDescription.ErrorDefinition) -> [String] {
        lines(list(error.fields.map(field), after: "error \(error.name) "))
    }

    private static func field(_ field: VarlinkType.Field) -> String { "\(field.name): \(name(of: field.type))" }

    /// Returns the notation for a use of a type.
    private static func name(of type: VarlinkType) -> String {
        switch type {
        case .bool: "bool"
        case .int: "int"
        case .float: "float"
        case .string: "string"
        case .object: "object"
        case .any: "any"
        case .named(let name): name
        case .array(let element): "[]" + name(of: element)
        case .map(let element): "[string]" + name(of: element)
        case .optional(let wrapped): "?" + name(of: wrapped)
        case .structure(let fields): "(" + fields.map(field).joined(separator: ", ") + ")"
        case .enumeration(let names): "(" + names.joined(separator: ", ") + ")"
        }
    }

    /// Returns `head` followed by the parts: on its last line if they fit, otherwise each on its own line.
    private static func list(_ parts: [String], after head: String) -> String {
        let fits = (lines(head).last ?? "").count + line(parts).count <= width
        return head + (fits || parts.isEmpty ? line(parts) : broken(parts))
    }

    private static func line(_ parts: [String]) -> String { "(" + parts.joined(separator: ", ") + ")" }

    private static func broken(_ parts: [String]) -> String {
        "(\n" + parts.map { "  \($0)" }.joined(separator: ",\n") + "\n)"
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init)
    }
}
