internal import AuthorizationPolicy
internal import Bus
internal import CLinux
internal import Linux
internal import LocationCore
internal import LocationModel
internal import NIOCore

/// Identification of callers.
extension GeoClueFront {
    /// Identifies the process and app of a connection.
    func identify(_ sender: Sender) {
        sender.state = .identifying
        sender.identification = SenderIdentification()
        // The rule comes first, so that the connection cannot leave unnoticed.
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
        bus.call(BusDriver.getCredentials, [.string(sender.name)]) { [unowned self] reply in
            var credentials: SenderIdentification.Credentials?
            if case .message(let message) = reply, let (pid, uid) = message.readCredentials() {
                credentials = .init(pid: pid, uid: uid)
            }
            proceed(sender, with: sender.identification.received(credentials))
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

    /// Refuses the waiting calls and those of the next second. A later call begins a new identification, because the
    /// reason may have gone.
    ///
    /// Attack: an app that is refused calls without end, and each call costs four calls on the bus and a lookup.
    private func refuse(_ sender: Sender, _ error: BusError) {
        guard case .identifying = sender.state else { return }
        sender.state = .refused(error, until: loop.now + TimeAmount.seconds(1))
        for call in sender.queue.removeAll() { reply(to: call, of: sender, error) }
        close(sender)
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
