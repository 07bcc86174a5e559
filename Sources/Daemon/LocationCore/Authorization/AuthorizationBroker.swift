package import AuthorizationPolicy
internal import EventLoopSupport
package import LocationModel
internal import Logging
package import NIOCore

/// Carries out the actions of the authorization state machine: writes to the disk, prompts users, notifies apps.
///
/// Confined to the event loop. A change that opens access takes effect when it is on the disk. A change that closes
/// access takes effect at once, before it is written, and stays in effect if writing fails.
package final class AuthorizationBroker {
    package typealias RequestID = AuthorizationStateMachine.RequestID

    /// Called after the authorization of an app has changed.
    var onChange: ((AppKey) -> Void)?
    /// Called with each decision about an app before it is written, or with `nil` if the app is left without one. If a
    /// grant ends, the write erases the data that the store keeps under it.
    var onDecision: ((Decision?, AppKey) -> Void)?

    /// It calls nothing of the broker, so accesses never overlap. The hot path needs no check.
    @exclusivity(unchecked) package private(set) var machine: AuthorizationStateMachine
    let changes: Changes
    private let store: Store
    private let loop: any EventLoop
    private let clock: () -> Timestamp
    private let log: Logger
    private let timer: LoopTimer
    private let desktopSwitches: DesktopSwitchLog
    let desktopLimits: StoredDesktopLimits
    /// Connections that are closed after the end must not start the timer again.
    private var isStopped = false
    private var requests: [RequestID: (RequestAnswer) -> Void] = [:]
    private var nextRequest: RequestID = 1

    /// The outcome of a request.
    package typealias RequestAnswer = Result<Authorization, RequestRefusal>

    init(
        _ machine: AuthorizationStateMachine, store: Store, on loop: any EventLoop, clock: @escaping () -> Timestamp,
        changes: Changes = Changes(), log: Logger
    ) {
        self.changes = changes
        self.machine = machine
        self.store = store
        self.loop = loop
        timer = LoopTimer(on: loop)
        self.clock = clock
        self.log = log
        desktopSwitches = DesktopSwitchLog(on: loop, log: log)
        desktopLimits = StoredDesktopLimits(store, on: loop, log: log)
    }

    /// The authorizations that are in effect.
    package var table: AuthorizationTable {
        _read { yield machine.table }
    }

    /// Ends decisions that expired while the daemon was not running.
    func start() { perform(machine.advance(to: now)) }

    /// Handles a wall clock that was set, or a sleep of the machine: decisions end on time, although the timer stood
    /// still meanwhile.
    func clockChanged() {
        perform(machine.advance(to: now))
        setTimer(machine.deadline)
    }

    /// A Boolean value indicating whether a restart would lose nothing: no open prompt, no decision that ends with
    /// the app's connections, no count of an app's requests.
    var hasOnlyStoredState: Bool { machine.hasOnlyStoredState }

    // MARK: Decisions of users

    /// Records a decision, or drops the present one if `decision` is `nil`. The future succeeds when it is on disk
    /// and in effect.
    ///
    /// - Parameter revision: The revision of the decision that the user has seen, or `nil` for the current one.
    package func decide(
        _ decision: Decision?, about app: AppKey, revision: UInt64? = nil
    ) throws(DecisionRefusal) -> EventLoopFuture<Void> {
        perform(try machine.decide(decision, about: app, revision: revision, at: now))
    }

    /// Revokes an app's grant. Otherwise like ``decide(_:about:revision:)``.
    package func revoke(_ app: AppKey, revision: UInt64? = nil) throws(DecisionRefusal) -> EventLoopFuture<Void> {
        perform(try machine.revoke(app, revision: revision, at: now))
    }

    /// Changes the accuracy of an app's grant, and nothing else about it.
    package func setAccuracy(
        _ accuracy: AccuracyAuthorization, of app: AppKey, revision: UInt64
    ) throws(DecisionRefusal) -> EventLoopFuture<Void> {
        perform(try machine.setAccuracy(accuracy, of: app, revision: revision, at: now))
    }

    /// Restricts an app to the location while it is in use, with nothing in the background.
    package func keepWhileInUse(_ app: AppKey, revision: UInt64) throws(DecisionRefusal) -> EventLoopFuture<Void> {
        perform(try machine.keepWhileInUse(app, revision: revision, at: now))
    }

    /// The lifetime of a decision "until tomorrow" that is made now.
    package var untilTomorrow: Decision.Lifetime { machine.untilTomorrow(at: now) }

    /// Answers a prompt. The future succeeds when the answer is on disk and in effect.
    package func answer(
        _ id: OpenPrompt.ID, with answer: PromptAnswer, accuracy: AccuracyAuthorization?
    ) throws(AnswerRefusal) -> EventLoopFuture<Void> {
        perform(try machine.answer(id, with: answer, accuracy: accuracy, at: now))
    }

    /// Turns location services on or off, for a user or, if `uid` is `nil`, for the whole machine.
    ///
    /// Turning them on for a user also ends the limits left behind by desktops whose agents are gone, as `isThere`
    /// reports: nothing else could end them.
    package func setServicesEnabled(
        _ enabled: Bool, for uid: UInt32?, unless isThere: (AppKey) -> Bool = { _ in true }
    ) -> EventLoopFuture<Void> {
        defer { changes.report(.services) }
        if enabled, let uid {
            for agent in table.desktopLimits(of: uid).keys.map({ AppKey(uid: uid, app: $0) }) where !isThere(agent) {
                setDesktopLimit(nil, by: agent)
            }
        }
        return perform(machine.setServicesEnabled(enabled, for: uid, at: now))
    }

    /// Applies the administrator's configuration.
    func use(restrictions: Set<Restriction>, manifests: [AppIdentity: AppManifest]) {
        perform(machine.use(restrictions: restrictions, manifests: manifests, at: now))
    }

    // MARK: Requests of apps

    /// Handles the app's first connection.
    func connected(_ app: AppKey) { perform(machine.connected(app, at: now)) }

    /// Handles a connection of a process of the app, which keeps the app's grant for "once" if it had it before a
    /// restart.
    func returned(_ app: AppKey, as process: ProcessStart) {
        if machine.awaitsReturn { perform(machine.returned(app, as: process, at: now)) }
    }

    /// Handles an app whose processes have all gone to the background.
    func wentToBackground(_ app: AppKey) { perform(machine.wentToBackground(app, at: now)) }

    /// Handles the end of the app's last connection.
    func disconnected(_ app: AppKey) { perform(machine.disconnected(app, at: now)) }

    /// Requests an authorization for the app. `answer` is called once, now or when the user has answered, but not
    /// after `cancel`.
    ///
    /// - Parameter prefersReduced: `true` if reduced accuracy suffices for the app, so that the prompt preselects it.
    package func request(
        _ level: RequestedLevel, reason: String?, prefersReduced: Bool = false, by app: AppKey,
        _ answer: @escaping (RequestAnswer) -> Void
    ) -> RequestID {
        let id = keep(answer)
        perform(
            machine.request(level, reason: reason, prefersReduced: prefersReduced, id: id, by: app, at: now))
        return id
    }

    /// Requests full accuracy for a limited time. Otherwise like `request`.
    package func requestTemporaryFullAccuracy(
        purposeKey: String, presence: Presence, by app: AppKey, _ answer: @escaping (RequestAnswer) -> Void
    ) -> RequestID {
        let id = keep(answer)
        perform(
            machine.requestTemporaryFullAccuracy(
                purposeKey: purposeKey, presence: presence, id: id, by: app, at: now))
        return id
    }

    /// Returns whether a request waits for the user.
    package func isPending(_ id: RequestID) -> Bool { requests[id] != nil }

    /// Cancels a request: its answer is no longer needed.
    package func cancel(_ id: RequestID, by app: AppKey) {
        guard requests.removeValue(forKey: id) != nil else { return }
        perform(machine.cancel(id, by: app, at: now))
    }

    /// Prompts the user again: the app would receive something in the background under a provisional grant.
    func promptAgain(about app: AppKey) { perform(machine.promptAgain(about: app, at: now)) }

    private func keep(_ answer: @escaping (RequestAnswer) -> Void) -> RequestID {
        let id = nextRequest
        nextRequest += 1
        requests[id] = answer
        return id
    }

    // MARK: Actions

    /// Carries out actions in their order. The future succeeds when all writes among them are on the disk, and fails if
    /// any of them fails.
    @discardableResult
    private func perform(_ actions: [AuthorizationStateMachine.Action]) -> EventLoopFuture<Void> {
        var writes: [EventLoopFuture<Void>] = []
        defer { if actions.contains(where: \.isNews) { changes.report(.decisions) } }
        for action in actions {
            switch action {
            case .write(let write): writes.append(carryOut(write))
            case .open, .close: changes.report(.prompts)
            case .changed(let app): onChange?(app)
            case .reply(let id, let authorization): requests.removeValue(forKey: id)?(.success(authorization))
            case .refuse(let id, let refusal): requests.removeValue(forKey: id)?(.failure(refusal))
            case .wake(let moment): setTimer(moment)
            }
        }
        return .andAllSucceed(writes, on: loop)
    }

    private func carryOut(_ write: AuthorizationStateMachine.Write) -> EventLoopFuture<Void> {
        if case .decision(let decision, let app) = write.change { onDecision?(decision, app) }
        let future =
            switch write.change {
            case .decision(let decision, let app): store.record(decision, about: app, on: loop)
            case .services(let enabled, let uid): store.setServicesEnabled(enabled, for: uid, on: loop)
            }
        return future.assumeIsolated().map {
            self.log.info("\(write.change.summary)", metadata: write.change.metadata)
            self.perform(self.machine.written(write, at: self.now))
            if case .services = write.change { self.changes.report(.services) }
            self.changes.report(.decisions)
        }.flatMapErrorThrowing { error in
            self.log.error("a decision could not be written: \(error)", metadata: write.change.metadata)
            self.perform(self.machine.writeFailed(write, at: self.now))
            throw error
        }.nonisolated()
    }

    /// Applies the limit that an agent of a user's desktop sets with the desktop's own switch, or `nil` for no limit.
    /// The limit holds until the same agent sets another one, even across restarts.
    package func setDesktopLimit(_ limit: DesktopLimit?, by agent: AppKey) {
        let (uid, before) = (agent.uid, table.desktopLimits(of: agent.uid))
        guard before[agent.app] != limit else { return }
        let wasOff = table.isSwitchedOffByDesktop(for: uid)
        perform(machine.setDesktopLimit(limit, by: agent, at: now))
        guard table.desktopLimits(of: uid) != before else { return }
        let isOff = table.isSwitchedOffByDesktop(for: uid)
        if isOff != wasOff { desktopSwitches.report(isOn: !isOff, for: uid) }
        desktopLimits.changed(of: uid) { [unowned self] in table.desktopLimits(of: uid) }
        changes.report(.services)
    }

    /// Stops ending decisions: the service is stopping.
    func stop() {
        isStopped = true
        timer.cancel()
        desktopSwitches.stop()
    }

    /// Sets the timer for when something ends, to the millisecond, so that it ends before the next fix. The timer
    /// fires after an hour at the latest, because the wall clock may have been set in the meantime.
    private func setTimer(_ moment: Int64?) {
        guard let moment, !isStopped else { return timer.cancel() }
        let wait = min(max(moment * 1000 - clock().millisecondsSince1970, 1), 3_600_000)
        timer.set(in: .milliseconds(wait)) {
            self.perform(self.machine.advance(to: self.now))
            // The state machine reports a moment once, and the moment may be more than an hour away.
            if let deadline = self.machine.deadline { self.setTimer(deadline) }
            self.changes.report(.activity)
        }
    }

    private var now: Int64 { clock().millisecondsSince1970 / 1000 }
}

extension AuthorizationStateMachine.Action {
    /// A Boolean value indicating whether the action changes a decision or the requests of an app.
    fileprivate var isNews: Bool {
        switch self {
        case .write, .open, .close, .changed: true
        case .reply, .refuse, .wake: false
        }
    }
}

extension AuthorizationStateMachine.Write.Change {
    /// A description of the change, for the log.
    fileprivate var summary: String {
        switch self {
        case .decision(nil, _): "the decision about an app was reset"
        case .decision(let decision?, _) where !decision.grants: "an app is denied the location"
        case .decision(let decision?, _):
            "an app is granted the location: \(decision.level), \(decision.accuracy) accuracy\(decision.lifetime.summary)"
        case .services(let enabled, nil): "location services are \(enabled ? "on" : "off")"
        case .services(let enabled, _?): "a user's location services are \(enabled ? "on" : "off")"
        }
    }

    /// The app and the user that the change is about, for the log.
    fileprivate var metadata: Logger.Metadata {
        switch self {
        case .decision(_, let app): ["APP": "\(app.app)", "UID": "\(app.uid)"]
        case .services(_, let uid): uid.map { ["UID": "\($0)"] } ?? [:]
        }
    }
}

extension Decision.Lifetime {
    fileprivate var summary: String {
        switch self {
        case .permanent: ""
        case .once: ", once"
        case .until(let seconds): ", until \(Timestamp(millisecondsSince1970: seconds * 1000))"
        }
    }
}
