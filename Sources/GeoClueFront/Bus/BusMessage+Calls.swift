/// A call that was received.
struct IncomingCall {
    let call: MethodCall
    /// The unique name of the caller's connection.
    let sender: String
    /// The number by which the reply names the call.
    let cookie: UInt64
    /// A Boolean value indicating whether the caller wants a reply.
    let expectsReply: Bool

    /// The memory that the call uses while it waits, in bytes.
    var size: Int {
        let texts = [call.path, call.interface ?? "", call.member, call.signature, sender]
        return texts.reduce(MemoryLayout<IncomingCall>.size) { $0 + $1.utf8.count }
            + call.arguments.reduce(0) { $0 + 2 * MemoryLayout<BusValue>.size + $1.size }
    }
}

extension BusMessage {
    /// Returns the call, or `nil` if it has no sender. Its arguments are read if any method has arguments of these
    /// types.
    func incomingCall() -> IncomingCall? {
        guard let sender else { return nil }
        let signature = signature ?? ""
        let call = MethodCall(
            path: path ?? "", interface: interface, member: member ?? "", signature: signature,
            arguments: arguments(signature))
        return IncomingCall(call: call, sender: sender, cookie: cookie, expectsReply: expectsReply)
    }

    private func arguments(_ signature: String) -> [BusValue] {
        guard ["s", "o", "ss", "ssv"].contains(signature) else { return [] }
        return signature.compactMap { type in
            switch type {
            case "v": readVariant(value).map { .variant($0) }
            case "o": readString("o").map { .objectPath($0) }
            default: readString().map { .string($0) }
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
