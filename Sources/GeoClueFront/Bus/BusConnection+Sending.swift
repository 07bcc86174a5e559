/// Calls, signals and replies of the daemon. What cannot be sent, because there is no connection, is dropped.
extension BusConnection {
    /// Calls a method of the bus itself.
    func call(_ method: String, _ arguments: [BusValue], _ answer: @escaping (CallReply) -> Void) {
        call(
            method, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", on: "org.freedesktop.DBus", arguments,
            answer)
    }

    /// Calls a method. `answer` is called once, unless the connection is lost first.
    func call(
        _ method: String, of interface: String, at path: String, on destination: String, _ arguments: [BusValue],
        _ answer: @escaping (CallReply) -> Void
    ) {
        guard let bus else { return }
        let message = OutgoingMessage(calling: method, of: interface, at: path, to: destination, on: bus)
        message.append(arguments)
        guard let cookie = message.send(on: bus, wantsReply: true) else { return answer(.none) }
        pending.add(cookie, to: destination, answer)
        didSend()
    }

    /// Sends a signal, to one connection or, if `destination` is `nil`, to everybody.
    func send(_ signal: BusSignal, to destination: String?) {
        guard let bus else { return }
        let message = OutgoingMessage(signal, to: destination, on: bus)
        message.append(signal.arguments)
        _ = message.send(on: bus)
        didSend()
    }

    /// Replies to a call.
    func reply(to call: IncomingCall, _ values: [BusValue]) {
        guard call.expectsReply, let bus else { return }
        let message = OutgoingMessage(replyingTo: call, on: bus)
        message.append(values)
        _ = message.send(on: bus)
        didSend()
    }

    /// Replies to a call with an error.
    func reply(to call: IncomingCall, _ error: BusError) {
        guard call.expectsReply, let bus else { return }
        _ = OutgoingMessage(failing: call, with: error, on: bus).send(on: bus)
        didSend()
    }
}
