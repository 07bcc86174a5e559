package import NIOCore

/// The calls, signals and replies of this process. They are dropped while there is no connection.
extension BusConnection {
    /// Calls a method of the bus itself.
    package func call(
        _ method: String, of interface: String = BusDriver.name, _ arguments: [BusValue],
        _ answer: @escaping (CallReply) -> Void
    ) {
        call(
            method, of: interface, at: BusDriver.path, on: BusDriver.name, arguments,
            timeout: PendingCalls.timeout, answer)
    }

    /// Calls a method. `answer` is called once, unless the connection is lost first.
    ///
    /// - Parameter timeout: The time after which the call counts as unanswered. With `nil`, it waits until the called
    ///   connection answers or leaves the bus.
    package func call(
        _ method: String, of interface: String, at path: String, on destination: String, _ arguments: [BusValue],
        timeout: TimeAmount?, _ answer: @escaping (CallReply) -> Void
    ) {
        guard let bus else { return }
        let message = OutgoingBusMessage(calling: method, of: interface, at: path, to: destination, on: bus)
        message.append(arguments)
        guard let cookie = send(message, wantsReply: true) else {
            // Not within the call of this function.
            let bound = NIOLoopBound(answer, eventLoop: loop)
            return loop.execute { bound.value(.none) }
        }
        pending.add(cookie, to: destination, timeout: timeout, answer)
    }

    /// Sends a signal to one connection, or to every connection if `destination` is `nil`. Returns its size in bytes.
    @discardableResult
    package func send(_ signal: BusSignal, to destination: String?) -> Int {
        guard let bus else { return 0 }
        let message = OutgoingBusMessage(signal, to: destination, on: bus)
        message.append(signal.arguments)
        send(message)
        return message.size
    }

    /// Replies to a call. Returns the size of the reply in bytes.
    @discardableResult
    package func reply(to call: IncomingCall, _ values: [BusValue]) -> Int {
        guard call.expectsReply, let bus else { return 0 }
        let message = OutgoingBusMessage(replyingTo: call, on: bus)
        message.append(values)
        send(message)
        return message.size
    }

    /// Replies to a call with an error. Returns the size of the reply in bytes.
    @discardableResult
    package func reply(to call: IncomingCall, _ error: BusError) -> Int {
        guard call.expectsReply, let bus else { return 0 }
        let message = OutgoingBusMessage(failing: call, with: error, on: bus)
        send(message)
        return message.size
    }
}
