extension BusMessage {
    /// Returns the call, or `nil` if the message has no sender. Its arguments are read if their signature is in
    /// `signatures`.
    func incomingCall(reading signatures: Set<String>) -> IncomingCall? {
        guard let sender else { return nil }
        let signature = signature ?? ""
        let call = MethodCall(
            path: path ?? "", interface: interface, member: member ?? "", signature: signature,
            arguments: signatures.contains(signature) ? arguments(signature) : [])
        return IncomingCall(call: call, sender: sender, cookie: cookie, expectsReply: expectsReply)
    }

    /// Reads arguments of basic types, variants, and arrays and structures of these. An argument of another type, or an
    /// array that is too long, ends the list early.
    private func arguments(_ signature: String) -> [BusValue] {
        var values: [BusValue] = []
        for type in Self.completeTypes(signature) {
            guard let value = argument(type) else { break }
            values.append(value)
        }
        return values
    }

    private func argument(_ type: Substring) -> BusValue? {
        switch type {
        case "v": return readVariant(value).map { .variant($0) }
        case "o": return readString("o").map { .objectPath($0) }
        case "i": return readInt32().map { .int32($0) }
        case "u": return readUInt32().map { .uint32($0) }
        case "s": return readString().map { .string($0) }
        case "as": return readArray(of: "s") { readString() }.map { .strings($0) }
        default: break
        }
        if type.first == "a" {
            let element = type.dropFirst()
            return readArray(of: String(element)) { argument(element) }.map { .array(of: String(element), $0) }
        }
        guard type.first == "(" else { return nil }
        let fields = String(type.dropFirst().dropLast())
        return readStructure(fields) {
            let values = arguments(fields)
            return values.count == Self.completeTypes(fields).count ? .structure(values) : nil
        }
    }

    /// Splits a signature into its single complete types: D-Bus specification, "Summary of types".
    private static func completeTypes(_ signature: String) -> [Substring] {
        var types: [Substring] = []
        var start = signature.startIndex
        var depth = 0
        for index in signature.indices {
            switch signature[index] {
            case "(", "{": depth += 1
            case ")", "}": depth -= 1
            case "a": continue
            default: break
            }
            guard depth == 0 else { continue }
            let end = signature.index(after: index)
            types.append(signature[start..<end])
            start = end
        }
        return types
    }

    private func value(_ signature: String) -> BusValue? {
        switch signature {
        case "u": readUInt32().map { .uint32($0) }
        case "s": readString().map { .string($0) }
        default: .unread(signature: signature)
        }
    }
}
