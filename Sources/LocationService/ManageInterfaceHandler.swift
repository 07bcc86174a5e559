internal import Authorization
internal import LocationProtocol
internal import NIOCore
internal import Varlink

/// Answers the methods of `io.locationd.Manage`.
final class ManageInterfaceHandler {
    let engine: Engine
    let version: String
    private let administrators: Set<UInt32>
    let localMidnight: () -> Int64
    let observers: ViewObservers

    /// - Parameters:
    ///   - administrators: who manages every user: root, and the daemon's own user, who owns the database.
    ///   - localMidnight: the next local midnight, in seconds since 1970.
    init(engine: Engine, version: String, administrators: Set<UInt32>, localMidnight: @escaping () -> Int64) {
        self.engine = engine
        self.version = version
        self.administrators = administrators
        self.localMidnight = localMidnight
        observers = ViewObservers(on: engine.loop)
        engine.onSessionsChanged = { [observers] in observers.changed(.sessions) }
        engine.record.indicator.onChange = { [observers] in observers.changed(.indicator) }
        engine.broker.onQuestionsChanged = { [observers] in observers.changed(.prompts) }
    }

    /// The handlers by the method's name.
    var handlers: [String: VarlinkService.Handler] {
        [
            ListApps.name: { (call) throws(VarlinkError) in try self.listApps(call) },
            Grant.name: { (call) throws(VarlinkError) in try self.grant(call) },
            Deny.name: { (call) throws(VarlinkError) in
                let app = try self.app(in: try call.parameters(as: Deny.Parameters.self), of: call)
                try self.decide(.denied, about: app, answering: call)
            },
            Revoke.name: { (call) throws(VarlinkError) in
                let app = try self.app(in: try call.parameters(as: Revoke.Parameters.self), of: call)
                guard let decision = self.engine.broker.table.decision(about: app), decision.level != .denied else {
                    throw .manage(.nothingGranted(app: app.app.description))
                }
                try self.decide(.denied, about: app, answering: call)
            },
            Reset.name: { (call) throws(VarlinkError) in
                let app = try self.app(in: try call.parameters(as: Reset.Parameters.self), of: call)
                try self.decide(nil, about: app, answering: call)
            },
            GetServices.name: { (call) throws(VarlinkError) in
                let scope = try call.parameters(as: GetServices.Parameters.self)
                call.reply(self.services(for: try self.user(scope.uid, managedBy: call)))
            },
            SetServices.name: { (call) throws(VarlinkError) in try self.setServices(call) },
            ListSessions.name: { (call) throws(VarlinkError) in try self.listSessions(call) },
            ListReceivers.name: { (call) in
                let isAdministrator = self.isAdministrator(call)
                self.observe(call, about: .receivers) { $0.receiverSummaries(forAdministrator: isAdministrator) }
            },
            ListSatellites.name: { (call) in self.observe(call, about: .receivers) { $0.satellites() } },
            GetStatistics.name: { (call) in
                let uid = self.isAdministrator(call) ? nil : call.connection.peer.uid
                call.reply(GetStatistics.Reply(statistics: self.statistics(of: uid)))
            },
        ]
    }

    // MARK: Decisions

    private func listApps(_ call: Call) throws(VarlinkError) {
        let scope = try call.parameters(as: ListApps.Parameters.self)
        let uid = try visibleUser(scope.uid, to: call)
        let decided = engine.broker.table.decidedApps(of: uid)
        let connected = engine.peers.apps.keys.filter { uid == nil || $0.uid == uid }
        let apps = Set(decided + connected).sorted(by: precedes).map(summary)
        reply(ListApps.Reply(apps: apps), to: call)
    }

    private func grant(_ call: Call) throws(VarlinkError) {
        let request = try call.parameters(as: Grant.Parameters.self)
        let app = try app(in: AppScope(app: request.app, uid: request.uid), of: call)
        let lifetime: Decision.Lifetime =
            switch request.lifetime ?? .permanent {
            case .permanent: .permanent
            case .once: .once
            case .untilTomorrow: .until(secondsSince1970: localMidnight())
            }
        let level: Decision.Level = request.level == .always ? .always : .whenInUse
        try decide(
            Decision(
                level: level, accuracy: request.accuracy ?? engine.broker.machine.defaultAccuracy(of: app.app),
                lifetime: lifetime), about: app, answering: call
        )
    }

    /// Answers when the decision is on the disk, or could not be written.
    private func decide(_ decision: Decision?, about app: AppKey, answering call: Call) throws(VarlinkError) {
        let written: EventLoopFuture<Void>
        do throws(DecisionRefusal) {
            written = try engine.broker.decide(decision, about: app)
        } catch {
            switch error {
            case .restricted: throw .manage(.restricted(app: app.app.description))
            case .tooManyDecisions: throw .manage(.limitExceeded(limit: "decisionsPerUser"))
            }
        }
        written.assumeIsolated().whenComplete { result in
            switch result {
            case .success: call.reply(Grant.Reply(app: self.summary(app)))
            case .failure(let error): call.fail(.manage(.storeFailed(reason: "\(error)")))
            }
        }
    }

    private func setServices(_ call: Call) throws(VarlinkError) {
        let request = try call.parameters(as: SetServices.Parameters.self)
        let user = try user(request.uid, managedBy: call)
        let isForMachine = request.machine ?? false
        if isForMachine, !isAdministrator(call) { throw .permissionDenied }
        engine.broker.setServicesEnabled(request.enabled, for: isForMachine ? nil : user).assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success: call.reply(self.services(for: user))
                case .failure(let error): call.fail(.manage(.storeFailed(reason: "\(error)")))
                }
            }
    }

    private func services(for user: UInt32) -> GetServices.Reply {
        let table = engine.broker.table
        return GetServices.Reply(machine: table.servicesEnabledOnMachine, user: table.servicesEnabled(for: user))
    }

    // MARK: Who may manage whom

    func isAdministrator(_ call: Call) -> Bool { administrators.contains(call.connection.peer.uid) }

    /// The user that a call is about: the caller's own, unless an administrator names another.
    func user(_ uid: Int?, managedBy call: Call) throws(VarlinkError) -> UInt32 {
        guard let uid else { return call.connection.peer.uid }
        guard let user = UInt32(exactly: uid) else { throw .invalidParameter("uid") }
        guard user == call.connection.peer.uid || isAdministrator(call) else { throw .permissionDenied }
        return user
    }

    /// Whose apps a call shows: an administrator's all users', where it names none.
    func visibleUser(_ uid: Int?, to call: Call) throws(VarlinkError) -> UInt32? {
        uid == nil && isAdministrator(call) ? nil : try user(uid, managedBy: call)
    }

    private func app(in scope: AppScope, of call: Call) throws(VarlinkError) -> AppKey {
        guard let identity = AppIdentity(scope.app) else { throw .manage(.invalidApp(app: scope.app)) }
        let uid = try user(scope.uid, managedBy: call)
        // A system service serves the whole machine: one user's word is not enough for it.
        if identity.kind == .service, !isAdministrator(call) { throw .permissionDenied }
        return AppKey(uid: uid, app: identity)
    }

    // MARK: Streams of what there is

    private func listSessions(_ call: Call) throws(VarlinkError) {
        let scope = try call.parameters(as: ListSessions.Parameters.self)
        let uid = try visibleUser(scope.uid, to: call)
        observe(call, about: .sessions) { $0.sessionSummaries(of: uid) }
    }

    /// Replies with the list that `view` shows; with `more` again when it has changed.
    func observe<P: Page>(
        _ call: Call, about subject: ViewObservers.Subject, _ view: @escaping (ManageInterfaceHandler) -> P
    ) {
        guard call.more else { return reply(view(self), to: call) }
        var last: [P.Element]?
        observers.add(call, about: subject) { [unowned self] sender in
            let elements = view(self).elements
            guard elements != last else { return sender.isDone() }
            last = elements
            sender.send(P(elements: elements), continues: true)
        }
    }

    /// Replies with a list, page by page; without `more` with its first page.
    func reply(_ list: some Page, to call: Call) {
        PageSender(call).send(list, continues: false)
    }
}
