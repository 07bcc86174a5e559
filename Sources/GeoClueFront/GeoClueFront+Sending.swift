internal import LocationCore
internal import LocationModel
internal import NIOCore

/// What connections are sent, within the bounds of their ``Backlog``.
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

    /// Returns whether a client is sent locations now.
    func isReading(_ client: ClientID) -> Bool {
        guard let id = tree.clients[client]?.connection, let sender = sendersByID[id] else { return false }
        return !sender.backlog.isFull
    }

    private func send(to sender: Sender, _ message: () -> Int) {
        guard !sender.backlog.isClosed else { return }
        let size = message()
        sender.backlog.sent(size)
        ping(sender)
    }

    /// Calls a connection, to find out whether it has read what it was sent, if that is due.
    func ping(_ sender: Sender) {
        guard sender.backlog.needsPing, case .admitted(_, let app, _) = sender.state, pings.enter(app.key) else {
            return
        }
        sender.backlog.pinged()
        bus.call(
            "Ping", of: InterfaceDefinition.peer.name, at: "/", on: sender.name, [], timeout: nil
        ) { [unowned self] reply in
            pings.leave(app.key)
            sender.backlog.answered(hasRead: reply.provesReading)
            guard reply.provesReading else { return }
            proceed(sender)
            // Those for which there was no room.
            for other in senders.values where other.backlog.needsPing { ping(other) }
        }
    }
}

extension CallReply {
    /// A Boolean value indicating whether the connection that was called has read the call.
    ///
    /// A bus with other policies than locationd's, or with AppArmor, may forbid the call. Then nothing is known, and
    /// the app is believed.
    fileprivate var provesReading: Bool {
        switch self {
        case .message: true
        case .failure(let failure):
            !failure.isFromBus || failure.name == BusError.Name.accessDenied.text
        case .none: false
        }
    }
}
