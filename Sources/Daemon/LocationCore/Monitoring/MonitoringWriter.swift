internal import LocationModel
internal import Logging
internal import NIOCore

/// Writes the monitoring data to the disk, one batch at a time, so that a decision waits for one batch at most.
///
/// Confined to the event loop.
final class MonitoringWriter {
    private let store: Store
    private let loop: any EventLoop
    private let log: Logger
    private var pending = PendingChanges<EventLoopPromise<Void>>()
    private var isDue = false
    private var isFailing = false
    private var flushes: [EventLoopPromise<Void>] = []

    init(_ store: Store, on loop: any EventLoop, log: Logger) {
        self.store = store
        self.loop = loop
        self.log = log
    }

    /// Writes a change that no call waits for.
    func write(_ change: MonitoringChange) {
        pending.add(change)
        writeLater()
    }

    /// Writes a change. The future succeeds once the change, or a later one that replaces it, is on the disk. It
    /// fails with `Store.Failure`.
    func writing(_ change: MonitoringChange) -> EventLoopFuture<Void> {
        defer { writeLater() }
        return future { pending.add(change, $0) }
    }

    /// Drops the waiting changes of an app, because their data is removed. The calls that wait for them fail.
    func drop(_ app: AppKey) { drop(of: app.uid) { $0.app == app } }

    /// Drops the waiting changes of a user's visits, because the visits are removed.
    func dropVisits(of uid: UInt32) { drop(of: uid, where: \.isOfVisits) }

    private func drop(of uid: UInt32, where isDropped: (MonitoringChange.Key) -> Bool) {
        for waiter in pending.drop(of: uid, where: isDropped) {
            waiter.fail(Store.Failure(description: "everything that is kept for the app was deleted in the meantime"))
        }
    }

    /// Returns whether a call may make a change: not too many of its user's changes are waiting.
    func isWithinLimit(with change: MonitoringChange) -> Bool { pending.isWithinLimit(with: change) }

    /// Returns a future that succeeds once no change of `key` waits for the disk, and fails as ``writing(_:)`` does.
    func settled(_ key: MonitoringChange.Key) -> EventLoopFuture<Void> {
        future { pending.wait(for: key, $0) }
    }

    /// Returns a future that succeeds once all present changes are on the disk, or could not be written.
    func flush() -> EventLoopFuture<Void> {
        guard !pending.isEmpty else { return loop.makeSucceededVoidFuture() }
        let promise = loop.makePromise(of: Void.self)
        flushes.append(promise)
        return promise.futureResult
    }

    private func future(
        _ admission: (EventLoopPromise<Void>) -> PendingChanges<EventLoopPromise<Void>>.Admission
    ) -> EventLoopFuture<Void> {
        let promise = loop.makePromise(of: Void.self)
        switch admission(promise) {
        case .joined: break
        case .nothing: promise.succeed()
        case .full: promise.fail(Store.Failure(description: "too many calls of the user wait for the disk: try again"))
        }
        return promise.futureResult
    }

    /// Writes after the current work of the loop, so that the changes of one moment are one transaction.
    private func writeLater() {
        guard !isDue else { return }
        isDue = true
        loop.assumeIsolated().execute {
            self.isDue = false
            self.writeNext()
        }
    }

    private func writeNext() {
        guard let batch = pending.nextBatch() else {
            guard pending.isEmpty else { return }
            for promise in flushes { promise.succeed() }
            flushes = []
            return
        }
        store.write(batch, on: loop).assumeIsolated().whenComplete { result in
            let failures: [Store.Failure?] =
                switch result {
                case .success(let failures): failures
                case .failure(let error): batch.map { _ in Store.Failure(description: "\(error)") }
                }
            self.logOutcome(failures.lazy.compactMap(\.self).first)
            for (waiters, failure) in zip(self.pending.finishBatch(), failures) {
                for waiter in waiters {
                    if let failure { waiter.fail(failure) } else { waiter.succeed() }
                }
            }
            self.writeNext()
        }
    }

    /// Logs the first of several failures, and their end.
    ///
    /// Attack: an app makes one change after another on a full disk, and fills the log as well.
    private func logOutcome(_ failure: Store.Failure?) {
        if let failure, !isFailing { log.error("monitoring data could not be written: \(failure)") }
        if failure == nil, isFailing { log.notice("monitoring data is written again") }
        isFailing = failure != nil
    }
}
