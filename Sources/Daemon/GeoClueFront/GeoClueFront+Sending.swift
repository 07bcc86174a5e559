internal import Bus
internal import EventLoopSupport
internal import NIOCore

/// Sending, bounded by each connection's ``Backlog``.
extension GeoClueFront {
    /// Replies to a call of a connection.
    func reply(to call: IncomingCall, of sender: Sender, _ values: [BusValue]) {
        send(to: sender) { bus.reply(to: call, values) }
    }

    /// Replies to a call of a connection with an error.
    func reply(to call: IncomingCall, of sender: Sender, _ error: BusError) {
        send(to: sender) { bus.reply(to: call, error) }
    }

    /// Sends a signal to a connection.
    func send(_ signal: BusSignal, to sender: Sender) {
        send(to: sender) { bus.send(signal, to: sender.name) }
    }

    /// Returns whether a client currently receives locations.
    func isReading(_ client: ClientID) -> Bool {
        guard let id = tree.clients[client]?.connection, let sender = sendersByID[id] else { return false }
        return !sender.backlog.isFull
    }

    private func send(to sender: Sender, _ message: () -> Int) {
        guard !sender.backlog.isClosed else { return }
        sender.backlog.sent(message())
        check(sender)
    }

    /// Asks the bus for the size of a connection's unread messages, if a check is due.
    private func check(_ sender: Sender) {
        guard sender.backlog.needsCheck else { return }
        sender.backlog.beginCheck()
        bus.call(
            "GetConnectionStats", of: "org.freedesktop.DBus.Debug.Stats", [.string(sender.name)]
        ) { [unowned self, weak sender] reply in
            if let sender { checked(sender, reply.keptSize) }
        }
    }

    private func checked(_ sender: Sender, _ keptSize: Int?) {
        guard senders[sender.name] === sender else { return }
        sender.backlog.checked(keptSize)
        if sender.backlog.isPostponed {
            sender.check.schedule { [unowned self, unowned sender] in
                sender.backlog.checkAgain()
                check(sender)
            }
        } else {
            sender.check.succeeded()
            check(sender)
        }
        proceed(sender)
    }
}

extension CallReply {
    /// The size of the unread messages that the bus keeps for a connection, in bytes, or `nil` if the bus has not
    /// answered.
    ///
    /// An error counts as 0. dbus-broker has no such figure: it charges unread messages to the app's own user. A
    /// dbus-daemon without locationd's policy refuses to state it.
    fileprivate var keptSize: Int? {
        switch self {
        case .message(let message):
            var size: UInt32?
            message.readProperties { name in
                guard name == "OutgoingBytes" else { return false }
                size = message.readVariant { $0 == "u" ? message.readUInt32() : nil }
                return true
            }
            return Int(size ?? 0)
        case .failure: return 0
        case .none: return nil
        }
    }
}
