internal import Authorization
internal import NIOCore
internal import Positioning

/// Carries the person's decisions: into the table, onto the disk, and to whom they concern.
///
/// Confined to the event loop. What opens takes effect when it is on the disk; what closes takes effect at once, before
/// it is written, and stays so when writing fails.
final class AuthorizationBroker {
    /// What holds now.
    private(set) var table: AuthorizationTable
    /// Told after the table has changed: which app it concerns, `nil` for every app.
    var onChange: ((AppKey?) -> Void)?

    private let store: Store
    private let loop: any EventLoop
    private let clock: () -> Timestamp
    private let connectionCount: (AppKey) -> Int
    private var expiry: Scheduled<Void>?
    private var endsOfOnce: [AppKey: Scheduled<Void>] = [:]
    /// Counts the decisions about each app, so that a grant that was overtaken by a revocation while it was being written
    /// does not take effect after it.
    private var generations: [AppKey: UInt64] = [:]
    private var switchGeneration: UInt64 = 0

    /// - Parameter connectionCount: how many connections an app has now.
    init(
        table: AuthorizationTable, store: Store, on loop: any EventLoop, clock: @escaping () -> Timestamp,
        connectionCount: @escaping (AppKey) -> Int
    ) {
        self.table = table
        self.store = store
        self.loop = loop
        self.clock = clock
        self.connectionCount = connectionCount
    }

    /// Ends what ended while the daemon was not running.
    func start() {
        for app in table.grantedOnce { scheduleEndOfOnce(app) }
        expire()
    }

    /// Records a decision, or with `nil` forgets one. The future succeeds when it is on the disk and holds.
    func decide(_ decision: Decision?, about app: AppKey) -> EventLoopFuture<Void> {
        let generation = (generations[app] ?? 0) + 1
        generations[app] = generation
        let opens = decision.map { $0.level != .denied } ?? false
        if opens {
            return store.record(decision, about: app, on: loop).assumeIsolated().map {
                guard self.generations[app] == generation else { return }
                self.apply(decision, about: app)
            }.nonisolated()
        }
        apply(decision, about: app)
        return store.record(decision, about: app, on: loop)
    }

    /// Turns location services on or off: for a user or, where `uid` is `nil`, for the machine.
    func setServicesEnabled(_ enabled: Bool, for uid: UInt32?) -> EventLoopFuture<Void> {
        switchGeneration += 1
        let generation = switchGeneration
        let written = store.setServicesEnabled(enabled, for: uid, on: loop)
        guard enabled else {
            applySwitch(enabled, for: uid)
            return written
        }
        return written.assumeIsolated().map {
            guard self.switchGeneration == generation else { return }
            self.applySwitch(enabled, for: uid)
        }.nonisolated()
    }

    /// The app's last connection was closed.
    func lastConnectionClosed(of app: AppKey) {
        if table.decision(about: app)?.lifetime == .once { scheduleEndOfOnce(app) }
    }

    private func apply(_ decision: Decision?, about app: AppKey) {
        table.record(decision, about: app)
        if decision?.lifetime == .once, connectionCount(app) == 0 { scheduleEndOfOnce(app) }
        scheduleExpiry()
        onChange?(app)
    }

    private func applySwitch(_ enabled: Bool, for uid: UInt32?) {
        table.setServicesEnabled(enabled, for: uid)
        onChange?(nil)
    }

    private func scheduleEndOfOnce(_ app: AppKey) {
        endsOfOnce.removeValue(forKey: app)?.cancel()
        endsOfOnce[app] = loop.assumeIsolated().scheduleTask(in: .seconds(AuthorizationTable.onceGraceSeconds)) {
            self.endsOfOnce[app] = nil
            guard self.table.decision(about: app)?.lifetime == .once, self.connectionCount(app) == 0 else { return }
            _ = self.decide(nil, about: app)
        }
    }

    private func expire() {
        for app in table.expired(at: secondsNow) { _ = decide(nil, about: app) }
        scheduleExpiry()
    }

    /// Wakes at the end of the next decision, at the latest after an hour: the wall clock may have been set meanwhile.
    private func scheduleExpiry() {
        expiry?.cancel()
        expiry = table.nextExpiry.map { next in
            let wait = min(max(next - secondsNow, 1), 3600)
            return loop.assumeIsolated().scheduleTask(in: .seconds(wait)) { self.expire() }
        }
    }

    private var secondsNow: Int64 { clock().millisecondsSince1970 / 1000 }
}
