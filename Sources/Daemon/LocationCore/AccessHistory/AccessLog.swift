internal import AuthorizationPolicy
internal import EventLoopSupport
package import LocationModel
internal import Logging
package import NIOCore

/// Counts each app's deliveries by the hour, so that the user can inspect them.
///
/// Counting is an increment in memory. The counts are written together: a minute after the first one, at the end of
/// the hour, and when the daemon ends. `kill -9` or a power cut loses the last minute at most. Nothing is scheduled
/// unless something was counted. Confined to the event loop.
package final class AccessLog {
    /// The retention period of an hour. Older hours are never reported, and are erased at the start and with each
    /// write.
    static let retentionPeriod: TimeAmount = .hours(30 * 24)
    /// The maximum size of a reply with the log, in bytes: the latest entries, about 4,500 of them.
    static let replySize = 900_000
    /// The maximum number of rows in memory while the database cannot be written: the latest rows.
    static let maximumUnwritten = 10_000
    /// The maximum number of apps whose counts have not been collected.
    static let maximumCounts = 1024
    /// The maximum time between a delivery and the write that includes it.
    static let writingInterval: TimeAmount = .minutes(1)

    private let store: Store
    private let loop: any EventLoop
    private let retention: RetentionTime
    private let log: Logger
    private var unwritten: [AccessLogRow.Key: AccessLogRow.Tally] = [:]
    /// The counts that have something to collect.
    private var counts: [UncollectedDeliveries] = []
    private var hour = Timestamp(millisecondsSince1970: 0)
    private let writing: LoopTimer
    private var lastWrite: EventLoopFuture<Void>
    /// The time reached at the last write.
    private var lastReached: Timestamp
    private var isFailing = false

    /// Creates a log that continues the one in `store`, and erases its rows that are too old.
    ///
    /// - Parameter retention: The present time, for the age of rows.
    init(store: Store, on loop: any EventLoop, retention: RetentionTime, log: Logger) {
        self.store = store
        self.loop = loop
        writing = LoopTimer(on: loop)
        self.retention = retention
        self.log = log
        let limit = Self.limit(at: retention.now)
        lastReached = retention.reached
        // If this fails, the next write will fail too, and log it.
        lastWrite = store.add([], forgettingBefore: limit, reached: lastReached, on: loop).recover { _ in }
    }

    /// Counts deliveries to an app at `now`.
    func count(
        _ deliveries: Int, to app: AppKey, accuracy: AccuracyAuthorization, inBackground: Bool, at now: Timestamp
    ) {
        guard deliveries > 0 else { return }
        setHour(at: now)
        let key = AccessLogRow.Key(app: app, hour: hour, accuracy: accuracy, inBackground: inBackground)
        add(AccessLogRow(key: key, tally: .init(deliveries: deliveries, lastDelivery: now)))
        if !writing.isSet { scheduleWriting(at: now) }
    }

    /// Counts deliveries at `now` to the app of `count`.
    func count(
        _ deliveries: Int, with count: UncollectedDeliveries, accuracy: AccuracyAuthorization, inBackground: Bool,
        at now: Timestamp
    ) {
        guard deliveries > 0 else { return }
        setHour(at: now)
        if count.hour != hour {
            count.collect(add)
            count.hour = hour
        }
        count.add(deliveries, accuracy: accuracy, inBackground: inBackground, at: now)
        if !count.isRegistered { register(count) }
        if !writing.isSet { scheduleWriting(at: now) }
    }

    private func setHour(at now: Timestamp) {
        let sinceHour = now.millisecondsSince1970 &- hour.millisecondsSince1970
        if sinceHour < 0 || sinceHour >= Timestamp.hour { hour = now.startOfHour }
    }

    private func register(_ count: UncollectedDeliveries) {
        // Attack: an app keeps connecting and disconnecting, and leaves a count each time.
        if counts.count >= Self.maximumCounts { collect() }
        count.isRegistered = true
        counts.append(count)
    }

    private func collect() {
        for count in counts {
            count.collect(add)
            count.isRegistered = false
        }
        counts = []
    }

    private func add(_ row: AccessLogRow) {
        if unwritten[row.key]?.add(row.tally) == nil { unwritten[row.key] = row.tally }
    }

    /// Returns the entries of a user's apps, or of all users' apps if `uid` is `nil`, the latest first: the last 30
    /// days, as far as a reply can hold them. Fails with `Store.Failure` if the database cannot be read.
    package func entries(of uid: UInt32?) -> EventLoopFuture<[AccessLogEntry]> {
        collect()
        // The rows that are being written come before this read in the queue of the store.
        let rows = unwritten.filter { uid == nil || $0.key.app.uid == uid }.map(AccessLogRow.init)
        return store.accessLog(
            of: uid, since: Self.limit(at: retention.now), adding: rows, atMost: Self.replySize, on: loop)
    }

    /// A Boolean value indicating whether a write is scheduled.
    var isWritingDue: Bool { writing.isSet }

    /// The number of rows waiting to be written.
    var unwrittenRows: Int {
        collect()
        return unwritten.count
    }

    /// Writes the counts. The future never fails: counts that cannot be written are kept, and the log says so.
    func flush() -> EventLoopFuture<Void> {
        writing.cancel()
        collect()
        guard !unwritten.isEmpty else { return lastWrite }
        let rows = unwritten.map(AccessLogRow.init)
        unwritten = [:]
        lastWrite = write(rows).assumeIsolated()
            .map { self.succeeded() }
            .flatMapErrorThrowing { self.failed($0, keeping: rows) }
            .nonisolated()
        return lastWrite
    }

    /// Writes the counts, and the reached time if it has changed since the last write: the service is stopping. The
    /// future never fails.
    func finish() -> EventLoopFuture<Void> {
        let counts = flush()
        _ = retention.now
        guard retention.reached != lastReached else { return counts }
        return counts.and(write([]).recover { _ in }).map { _ in }
    }

    private func write(_ rows: [AccessLogRow]) -> EventLoopFuture<Void> {
        let limit = Self.limit(at: retention.now)
        lastReached = retention.reached
        return store.add(rows, forgettingBefore: limit, reached: lastReached, on: loop)
    }

    private func scheduleWriting(at now: Timestamp) {
        let endOfHour = TimeAmount.milliseconds(
            hour.millisecondsSince1970 + Timestamp.hour - now.millisecondsSince1970)
        writing.set(in: min(Self.writingInterval, endOfHour)) { _ = self.flush() }
    }

    private func succeeded() {
        if isFailing { log.notice("the access log is written again") }
        isFailing = false
    }

    /// Keeps rows that could not be written until the next delivery is counted: a full disk must not wake the daemon.
    private func failed(_ error: any Error, keeping rows: [AccessLogRow]) {
        if !isFailing { log.error("the access log could not be written, and is kept in memory: \(error)") }
        isFailing = true
        for row in rows { add(row) }
        let excess = unwritten.count - Self.maximumUnwritten
        guard excess > 0 else { return }
        for key in unwritten.keys.sorted(by: { $0.hour < $1.hour }).prefix(excess) { unwritten[key] = nil }
    }

    /// Returns the start of the retention period. Hours that began earlier are not kept.
    private static func limit(at now: Timestamp) -> Timestamp {
        now.adding(milliseconds: -retentionPeriod.nanoseconds / 1_000_000)
    }
}

extension AccessLogRow {
    fileprivate init(_ entry: (key: Key, value: Tally)) {
        self.init(key: entry.key, tally: entry.value)
    }
}

extension Timestamp {
    /// The length of an hour, in milliseconds.
    fileprivate static let hour: Int64 = 3_600_000

    /// The start of the UTC hour that contains the moment.
    fileprivate var startOfHour: Timestamp {
        let remainder = millisecondsSince1970 % Self.hour
        let sinceHour = remainder < 0 ? remainder + Self.hour : remainder
        return Timestamp(millisecondsSince1970: millisecondsSince1970 - sinceHour)
    }
}
