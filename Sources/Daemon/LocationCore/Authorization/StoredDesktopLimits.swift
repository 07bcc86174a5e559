internal import AuthorizationPolicy
internal import EventLoopSupport
internal import LocationModel
internal import Logging
internal import NIOCore

/// Writes the limits of users' desktops to the disk: the first change of a user at once, later ones of the same minute
/// together at its end.
///
/// Attack: a program registers as the agent of a desktop, changes its level ten times a second, and wears the disk out.
/// Confined to the event loop.
final class StoredDesktopLimits {
    /// The time over which further changes are collected.
    static let interval = TimeAmount.minutes(1)

    private let store: Store
    private let loop: any EventLoop
    private let log: Logger
    private let timer: LoopTimer
    /// The users whose limits were written within the interval.
    private var recent: Set<UInt32> = []
    /// The users whose limits are to be written, each with the function that returns the limits.
    private var unwritten: [UInt32: () -> [AppIdentity: DesktopLimit]] = [:]

    init(_ store: Store, on loop: any EventLoop, log: Logger) {
        self.store = store
        self.loop = loop
        self.log = log
        timer = LoopTimer(on: loop)
    }

    /// Writes a user's limits, now or later.
    ///
    /// - Parameter limits: Returns the limits at the time of the write.
    func changed(of uid: UInt32, limits: @escaping () -> [AppIdentity: DesktopLimit]) {
        unwritten[uid] = limits
        if !recent.contains(uid) { _ = write([uid]) }
        if !timer.isSet { timer.set(in: Self.interval) { self.collect() } }
    }

    /// Writes the limits not written yet. The future never fails.
    func flush() -> EventLoopFuture<Void> {
        timer.cancel()
        return write(Array(unwritten.keys))
    }

    private func collect() {
        recent = []
        guard !unwritten.isEmpty else { return }
        _ = write(Array(unwritten.keys))
        timer.set(in: Self.interval) { self.collect() }
    }

    private func write(_ users: [UInt32]) -> EventLoopFuture<Void> {
        let log = log
        let writes = users.compactMap { uid -> EventLoopFuture<Void>? in
            recent.insert(uid)
            guard let limits = unwritten.removeValue(forKey: uid) else { return nil }
            let written = store.set(desktopLimits: limits(), of: uid, on: loop)
            written.assumeIsolated().whenFailure { error in
                log.error(
                    "the switch of a desktop could not be written, and will be forgotten with a restart: \(error)",
                    metadata: ["UID": "\(uid)"])
                // Written with the next collection.
                if self.unwritten[uid] == nil { self.unwritten[uid] = limits }
            }
            return written.recover { _ in }
        }
        return EventLoopFuture.andAllSucceed(writes, on: loop)
    }
}
