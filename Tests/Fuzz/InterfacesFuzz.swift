import Varlink

/// Fuzzes the parser of interface definitions. A definition that parses stays the same when it is written and parsed
/// again.
func fuzzInterfaces(_ input: [UInt8]) {
    let text = String(decoding: input, as: UTF8.self)
    do throws(InterfaceSyntaxError) {
        let interface = try InterfaceDescription(parsing: text)
        precondition(interface.text == text)
        let copy = written(interface)
        do throws(InterfaceSyntaxError) {
            let again = try InterfaceDescription(parsing: copy)
            precondition(again.name == interface.name && again.documentation == interface.documentation)
            precondition(again.methods == interface.methods)
            precondition(again.types == interface.types && again.errors == interface.errors)
        } catch {
            fatalError("\(error) in what was written:\n\(copy)")
        }
    } catch {
        precondition(1...1 + input.count ~= error.line)
    }
}

private func written(_ interface: InterfaceDescription) -> String {
    var text = comment(interface.documentation) + "interface \(interface.name)\n"
    for type in interface.types {
        text += comment(type.documentation) + "type \(type.name) \(written(type.type))\n"
    }
    for method in interface.methods {
        text += comment(method.documentation)
        text += "method \(method.name)\(written(.structure(method.input))) -> \(written(.structure(method.output)))\n"
    }
    for error in interface.errors {
        text += comment(error.documentation) + "error \(error.name) \(written(.structure(error.fields)))\n"
    }
    return text
}

private func comment(_ documentation: String) -> String {
    guard !documentation.isEmpty else { return "" }
    return documentation.split(separator: "\n", omittingEmptySubsequences: false).map { "# \($0)\n" }.joined()
}

private func written(_ type: VarlinkType) -> String {
    switch type {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .object: "object"
    case .any: "any"
    case .named(let name): name
    case .array(let element): "[]" + written(element)
    case .map(let element): "[string]" + written(element)
    case .optional(let type): "?" + written(type)
    case .enumeration(let names): "(" + names.joined(separator: ",") + ")"
    case .structure(let fields):
        "(" + fields.map { "\n\(comment($0.documentation))\($0.name):\(written($0.type))" }.joined(separator: ",") + ")"
    }
}
