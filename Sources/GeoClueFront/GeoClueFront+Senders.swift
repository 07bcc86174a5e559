internal import AuthorizationPolicy
internal import CLinux
internal import EventLoopSupport
internal import Linux
internal import LocationCore
internal import LocationModel
internal import NIOCore

/// Who calls, and when a call is handled.
extension GeoClueFront {
    // MARK: Identification

    /// Finds out who a connection is.
    func identify(_ sender: Sender) {
        // First the rule, so that the connection cannot leave unnoticed.
        apply(leavingRules.add(sender.name))
        proceed(sender, with: sender.identification.begin())
    }

    private func proceed(
        _ sender: Sender, with step: SenderIdentification.Step, process: ProcessDescriptor? = nil
    ) {
        guard case .identifying = sender.state else { return }
        switch step {
        case .readCredentials: readCredentials(of: sender)
        case .openProcess(let pid):
            let descriptor = process_open(pid)
            let process = descriptor >= 0 ? ProcessDescriptor(owning: descriptor) : nil
            proceed(sender, with: sender.identification.opened(process != nil), process: process)
        case .confirm:
            bus.call("GetConnectionUnixProcessID", [.string(sender.name)]) { [unowned self] reply in
                var pid: UInt32?
                if case .message(let message) = reply { pid = message.readUInt32() }
                proceed(
                    sender, with: sender.identification.confirmed(pid: pid.flatMap(Int32.init(exactly:))),
                    process: process)
            }
        case .admit(let credentials):
            guard let process else { return refuse(sender) }
            admit(sender, credentials, process)
        case .refuse: refuse(sender)
        }
    }

    /// Refuses a connection whose process cannot be opened.
    private func refuse(_ sender: Sender) {
        core.peers.noteRefusal(.processGone)
        refuse(sender, .accessDenied)
    }

    private func readCredentials(of sender: Sender) {
        bus.call("GetConnectionCredentials", [.string(sender.name)]) { [unowned self] reply in
            var (pid, uid, process): (UInt32?, UInt32?, ProcessDescriptor?) = (nil, nil, nil)
            if case .message(let message) = reply {
                message.readProperties { name in
                    switch name {
                    case "ProcessID": pid = message.readVariant { $0 == "u" ? message.readUInt32() : nil }
                    case "UnixUserID": uid = message.readVariant { $0 == "u" ? message.readUInt32() : nil }
                    case "ProcessFD":
                        process = message.readVariant { $0 == "h" ? message.readProcessDescriptor() : nil }
                    default: return false
                    }
                    return true
                }
            }
            var credentials: SenderIdentification.Credentials?
            if let pid = pid.flatMap(Int32.init(exactly:)), let uid { credentials = .init(pid: pid, uid: uid) }
            // The descriptor has to be that of the process that the bus names.
            if let descriptor = process?.descriptor, process_id(descriptor) != credentials?.pid { credentials = nil }
            let step = sender.identification.received(credentials, hasProcess: process != nil)
            proceed(sender, with: step, process: process)
        }
    }

    private func admit(
        _ sender: Sender, _ credentials: SenderIdentification.Credentials, _ process: ProcessDescriptor
    ) {
        let client = BusClient(credentials, process: process) { [unowned self, weak sender] in
            if let sender { endLater(sender) }
        }
        sender.client = client
        do throws(AdmissionRefusal) {
            try core.peers.admit(client) { [unowned self] app in
                switch app {
                case .success(let app): admitted(sender, client, app)
                case .failure(let refusal): refuse(sender, BusError(refusal))
                }
            }
        } catch {
            refuse(sender, BusError(error))
        }
    }

    private func admitted(_ sender: Sender, _ client: BusClient, _ app: ConnectedApp) {
        guard case .identifying = sender.state else { return }
        let id = sender.id
        let watcher = AuthorizationWatcher(core.broker.table.authorization(of: app.key)) { [unowned self] in
            perform(tree.authorizationChanged(to: $0, of: id))
        }
        app.add(watcher)
        sender.state = .admitted(client, app, watcher)
        sendersByID[id] = sender
        proceed(sender)
    }

    /// Refuses the calls that wait. The next one begins a new identification: the reason may be gone.
    private func refuse(_ sender: Sender, _ error: BusError) {
        guard case .identifying = sender.state else { return }
        sender.state = .ended
        for call in sender.queue.removeAll() { bus.reply(to: call, error) }
        close(sender)
        forget(sender)
    }

    // MARK: Turns

    /// Handles the calls of a connection that wait, as far as it is their turn.
    func proceed(_ sender: Sender) {
        guard case .admitted(let client, _, _) = sender.state else { return }
        while !sender.queue.isEmpty, !sender.isWaitingForTurn {
            sender.isWaitingForTurn = !core.peers.turns.run(sender, of: client.uid) { handleNext(of: sender) }
        }
    }

    /// Handles the call that has waited longest.
    ///
    /// Attack: an app leaves its connection to a child, and ends. So every call first checks that the app's process is
    /// running.
    func handleNext(of sender: Sender) {
        guard let call = sender.queue.popFirst() else { return }
        guard case .admitted(let client, let app, _) = sender.state, core.peers.isRunning(client) else {
            return bus.reply(to: call, .accessDenied)
        }
        let caller = Caller(
            connection: sender.id, app: app.key, authorization: core.broker.table.authorization(of: app.key))
        perform(tree.handle(call.call, from: caller), replyingTo: call)
    }

    // MARK: The end of a connection

    /// Handles a connection that has left the bus.
    func left(_ sender: Sender) {
        end(sender)
        forget(sender)
    }

    /// Ends a connection whose process has ended. Its name stays refused until it has left the bus.
    private func endLater(_ sender: Sender) {
        loop.assumeIsolated().execute { self.end(sender) }
    }

    /// Removes everything that a connection has. Its calls are refused from now on.
    func end(_ sender: Sender) {
        let state = sender.state
        sender.state = .ended
        for call in sender.queue.removeAll() { bus.reply(to: call, .accessDenied) }
        perform(tree.closed(sender.id))
        if case .admitted(_, let app, let watcher) = state { app.remove(watcher) }
        sendersByID[sender.id] = nil
        close(sender)
    }

    private func close(_ sender: Sender) {
        guard let client = sender.client else { return }
        sender.client = nil
        core.peers.closed(client)
    }

    private func forget(_ sender: Sender) {
        guard senders.removeValue(forKey: sender.name) != nil else { return }
        apply(leavingRules.remove(sender.name))
        if sender.askedAsAgent != nil { removeMatch(agentRule(sender)) }
    }

    // MARK: Match rules

    private func apply(_ changes: [LeavingRules.Change]) {
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

extension BusError {
    /// Creates the error for a connection that the core refuses.
    fileprivate init(_ refusal: AdmissionRefusal) {
        self =
            switch refusal {
            case .permissionDenied: .accessDenied
            case .limitExceeded(let limit): .limitExceeded("The limit \(limit) is reached")
            }
    }
}

extension Sender: TurnTaker {
    func takeTurn() {
        isWaitingForTurn = false
        front.handleNext(of: self)
        front.proceed(self)
    }
}
