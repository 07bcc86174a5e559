internal import AuthorizationPolicy
internal import Bus
internal import EventLoopSupport
internal import LocationCore
internal import LocationModel
internal import NIOCore

/// The order of calls, and the end of their callers.
extension GeoClueFront {
    // MARK: Turns

    /// Handles the waiting calls of a connection whose turn it is.
    func proceed(_ sender: Sender) {
        guard case .admitted(let client, _, _) = sender.state else { return }
        while !sender.queue.isEmpty, !sender.isWaitingForTurn, !sender.backlog.isFull {
            sender.isWaitingForTurn = !core.peers.turns.run(sender, of: client.uid) { handleNext(of: sender) }
        }
    }

    /// Handles the oldest waiting call.
    ///
    /// Attack: an app leaves its connection to a child, and ends. So every call first checks that the app's process is
    /// running.
    func handleNext(of sender: Sender) {
        guard let call = sender.queue.popFirst() else { return }
        guard case .admitted(let client, let app, _) = sender.state, core.peers.isRunning(client) else {
            return reply(to: call, of: sender, .accessDenied)
        }
        let caller = CallingApp(
            connection: sender.id, app: app.key, authorization: core.broker.table.authorization(of: app.key),
            canBeServed: core.mayHaveLocation)
        perform(tree.handle(call.call, from: caller), replyingTo: (call, of: sender))
    }

    // MARK: The end of a connection

    /// Handles a connection that has left the bus, or that ended because the bus was lost.
    func left(_ sender: Sender) {
        end(sender)
        forget(sender)
    }

    /// Ends a connection whose process has ended. Its name stays refused until it has left the bus.
    func endLater(_ sender: Sender) {
        guard let client = sender.client else { return }
        loop.assumeIsolated().execute {
            // A refused connection has no client.
            if sender.client === client { self.end(sender) }
        }
    }

    /// Removes all data of a connection. Its later calls are refused.
    func end(_ sender: Sender) {
        let state = sender.state
        sender.state = .ended
        for call in sender.queue.removeAll() { reply(to: call, of: sender, .accessDenied) }
        perform(tree.closed(sender.id))
        if case .admitted(_, let app, let watcher) = state { app.remove(watcher) }
        sendersByID[sender.id] = nil
        close(sender)
    }

    func close(_ sender: Sender) {
        guard let client = sender.client else { return }
        sender.client = nil
        core.peers.closed(client)
    }

    /// Forgets refused connections, to make room. Their next calls are examined again.
    func forgetRefused() {
        for sender in Array(senders.values) { if case .refused = sender.state { forget(sender) } }
    }

    func forget(_ sender: Sender) {
        guard senders.removeValue(forKey: sender.name) != nil else { return }
        sender.check.cancel()
        apply(leavingRules.remove(sender.name))
        if sender.askedAsAgent != nil { removeMatch(agentRule(sender)) }
    }

    // MARK: Match rules

    func apply(_ changes: [LeavingRules.Change]) {
        for change in changes {
            switch change {
            case .add(let rule): addMatch(rule)
            case .remove(let rule): removeMatch(rule)
            }
        }
    }

    func addMatch(_ rule: String) { bus.call("AddMatch", [.string(rule)]) { _ in } }
    func removeMatch(_ rule: String) { bus.call("RemoveMatch", [.string(rule)]) { _ in } }

    func agentRule(_ sender: Sender) -> String {
        "type='signal',sender='\(sender.name)',path='\(ObjectPath.agent)',interface='org.freedesktop.DBus.Properties',"
            + "member='PropertiesChanged'"
    }
}

extension Sender: TurnTaker {
    func takeTurn() {
        isWaitingForTurn = false
        // The front may have been stopped in the meantime.
        guard case .admitted = state else { return }
        if !backlog.isFull { front.handleNext(of: self) }
        front.proceed(self)
    }
}
