internal import Bytewise
public import JSON

extension InterfaceDescription {
    /// Checks that `value` is an object with these fields, each of its declared type, and without any others. A field
    /// may be absent if its type is optional or `any`.
    ///
    /// - Throws: InvalidParameter with the path of the first invalid field. Fields are checked in the order of the
    ///   definition; unknown fields come last.
    public func validate(_ value: JSONValue, fields: [VarlinkType.Field]) throws(VarlinkError) {
        try validate(value, fields: fields, path: "")
    }

    private func validate(_ value: JSONValue, fields: [VarlinkType.Field], path: String) throws(VarlinkError) {
        guard case .object(let members) = value else { throw .invalidParameter(path) }
        var count = 0
        for field in fields {
            let member = members[BytewiseString(field.name)]
            if member != nil { count += 1 }
            try validate(member ?? .null, as: field.type, path: path.appendingStep(field.name))
        }
        guard count < members.count else { return }
        let known = Set(fields.map { BytewiseString($0.name) })
        let unknown = members.keys.filter { !known.contains($0) }.min()
        throw .invalidParameter(path.appendingStep(unknown?.text ?? ""))
    }

    private func validate(_ value: JSONValue, as type: VarlinkType, path: String) throws(VarlinkError) {
        switch (type, value) {
        case (.optional, .null), (.any, _), (.bool, .bool), (.int, .int), (.float, .int), (.float, .double),
            (.string, .string), (.object, .object):
            return
        case (.optional(let type), _):
            try validate(value, as: type, path: path)
        case (.named(let name), _):
            guard let definition = self.type(name) else { throw .invalidParameter(path) }
            try validate(value, as: definition.type, path: path)
        case (.structure(let fields), _):
            try validate(value, fields: fields, path: path)
        case (.enumeration(let names), .string(let name)) where names.contains(where: name.isBytewiseEqual):
            return
        case (.array(let type), .array(let elements)):
            for (index, element) in elements.enumerated() {
                try validate(element, as: type, path: path.appendingStep(String(index)))
            }
        case (.map(let type), .object(let members)):
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                try validate(member, as: type, path: path.appendingStep(name.text))
            }
        default:
            throw .invalidParameter(path)
        }
    }
}

extension String {
    fileprivate func appendingStep(_ step: String) -> String { isEmpty ? step : "\(self).\(step)" }
}
