extension BusMessage {
    /// Returns the call, or `nil` if it has no sender. Its arguments are read if their signature is one of
    /// `signatures`.
    func incomingCall(reading signatures: Set<String>) -> IncomingCall? {
        guard let sender else { return nil }
        let signature = signature ?? ""
        let call = MethodCall(
            path: path ?? "", interface: interface, member: member ?? "", signature: signature,
            arguments: signatures.contains(signature) ? arguments(signature) : [])
        return IncomingCall(call: call, sender: sender, cookie: cookie, expectsReply: expectsReply)
    }

    /// Reads arguments of basic types and variants. There are fewer of them than in the signature if one is of another
    /// type.
    private func arguments(_ signature: String) -> [BusValue] {
        signature.compactMap { type in
            switch type {
            case "v": readVariant(value).map { .variant($0) }
            case "o": readString("o").map { .objectPath($0) }
            case "u": readUInt32().map { .uint32($0) }
            case "s": readString().map { .string($0) }
            default: nil
            }
        }
    }

    private func value(_ signature: String) -> BusValue? {
        switch signature {
        case "u": readUInt32().map { .uint32($0) }
        case "s": readString().map { .string($0) }
        default: .unread(signature: signature)
        }
    }
}
