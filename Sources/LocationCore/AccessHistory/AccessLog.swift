internal import AuthorizationPolicy
internal import EventLoopSupport
package import LocationModel
internal import Logging
package import NIOCore

/// Counts what each app is sent, by the hour, for the user to look at.
///
/// Counting is an increment in memory. What was counted is written together: a minute after the first of it, at the end
/// of the hour, and when the daemon ends; `kill -9` or a power cut takes the last minute at most. Nothing is scheduled
/// where nothing was counted. Confined to the event loop.
package final class AccessLog {
    /// How long an hour is kept. What is older is never told; it is erased when the daemon starts and with each write.
    static let retention: TimeAmount = .hours(30 * 24)
    /// How much of the log is reported at once, in bytes: the latest hours, some 4,500 of them.
    static let replySize = 900_000
    /// How many rows wait in memory at most while the database cannot be written: the latest.
    static let maximumUnwritten = 10_000
    /// How many counts of apps are waited with at most.
    static let maximumCounts = 1024
    /// How long what was counted waits at most.
    static let writingInterval: TimeAmount = .minutes(1)

    private let store: Store
    private let loop: any EventLoop
    private let clock: () -> Timestamp
    private let log: Logger
    private var unwritten: [AccessLogRow.Key: AccessLogRow.Tally] = [:]
    /// Those that there is something to collect from.
    private var counts: [AccessCount] = []
    private var hour = Timestamp(millisecondsSince1970: 0)
    private let writing: LoopTimer
    private var lastWrite: EventLoopFuture<Void>
    private var isFailing = false

    /// A log that goes on with what `store` keeps, and erases there what is too old.
    init(store: Store, on loop: any EventLoop, clock: @escaping () -> Timestamp, log: Logger) {
        self.store = store
        self.loop = loop
        writing = LoopTimer(on: loop)
        self.clock = clock
        self.log = log
        // Where that fails, so will the next write, which says so.
        lastWrite = store.add([], forgettingBefore: Self.limit(at: clock()), on: loop).recover { _ in }
    }

    /// Counts what was sent to an app at `now`.
    func count(
        _ deliveries: Int, to app: AppKey, accuracy: AccuracyAuthorization, inBackground: Bool, at now: Timestamp
    ) {
        guard deliveries > 0 else { return }
        setHour(at: now)
        let key = AccessLogRow.Key(app: app, hour: hour, accuracy: accuracy, inBackground: inBackground)
        add(AccessLogRow(key: key, tally: .init(deliveries: deliveries, lastDelivery: now)))
        if !writing.isSet { scheduleWriting(at: now) }
    }

    /// Counts what was sent at `now` to the app of `count`.
    func count(
        _ deliveries: Int, with count: AccessCount, accuracy: AccuracyAuthorization, inBackground: Bool,
        at now: Timestamp
    ) {
        guard deliveries > 0 else { return }
        setHour(at: now)
        if count.hour != hour {
            count.collect(add)
            count.hour = hour
        }
        count.add(deliveries, accuracy: accuracy, inBackground: inBackground, at: now)
        if !count.isNoted { note(count) }
        if !writing.isSet { scheduleWriting(at: now) }
    }

    private func setHour(at now: Timestamp) {
        let sinceHour = now.millisecondsSince1970 &- hour.millisecondsSince1970
        if sinceHour < 0 || sinceHour >= Timestamp.hour { hour = now.startOfHour }
    }

    private func note(_ count: AccessCount) {
        // Attack: an app connects and goes, again and again, and leaves a count each time.
        if counts.count >= Self.maximumCounts { collect() }
        count.isNoted = true
        counts.append(count)
    }

    private func collect() {
        for count in counts {
            count.collect(add)
            count.isNoted = false
        }
        counts = []
    }

    private func add(_ row: AccessLogRow) {
        if unwritten[row.key]?.add(row.tally) == nil { unwritten[row.key] = row.tally }
    }

    /// The hours of a user's apps, or where `uid` is `nil` of everybody's, the latest first: those of the last 30 days, and
    /// of those as many as a reply takes. Fails with `Store.Failure` where the database cannot be read.
    package func entries(of uid: UInt32?) -> EventLoopFuture<[AccessLogEntry]> {
        collect()
        // What is being written now is before this in the queue of the store.
        let rows = unwritten.filter { uid == nil || $0.key.app.uid == uid }.map(AccessLogRow.init)
        return store.accessLog(
            of: uid, since: Self.limit(at: clock()), adding: rows, atMost: Self.replySize, on: loop)
    }

    /// A Boolean value indicating whether it will write by itself.
    var isWritingDue: Bool { writing.isSet }

    /// How many rows wait to be written.
    var unwrittenRows: Int {
        collect()
        return unwritten.count
    }

    /// Writes what was counted. The future never fails: what cannot be written is kept, and the log says so.
    func flush() -> EventLoopFuture<Void> {
        writing.cancel()
        collect()
        guard !unwritten.isEmpty else { return lastWrite }
        let rows = unwritten.map(AccessLogRow.init)
        unwritten = [:]
        lastWrite = store.add(rows, forgettingBefore: Self.limit(at: clock()), on: loop).assumeIsolated()
            .map { self.succeeded() }
            .flatMapErrorThrowing { self.failed($0, keeping: rows) }
            .nonisolated()
        return lastWrite
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

    /// Keeps what could not be written until something is counted again: a disk that is full is not to wake the daemon.
    private func failed(_ error: any Error, keeping rows: [AccessLogRow]) {
        if !isFailing { log.error("the access log could not be written, and is kept in memory: \(error)") }
        isFailing = true
        for row in rows { add(row) }
        let excess = unwritten.count - Self.maximumUnwritten
        guard excess > 0 else { return }
        for key in unwritten.keys.sorted(by: { $0.hour < $1.hour }).prefix(excess) { unwritten[key] = nil }
    }

    /// What began before this is not kept.
    private static func limit(at now: Timestamp) -> Timestamp {
        Timestamp(millisecondsSince1970: now.millisecondsSince1970 - retention.nanoseconds / 1_000_000)
    }
}

extension AccessLogRow {
    fileprivate init(_ entry: (key: Key, value: Tally)) {
        self.init(key: entry.key, tally: entry.value)
    }
}

extension Timestamp {
    /// An hour, in milliseconds.
    fileprivate static let hour: Int64 = 3_600_000

    /// The hour in UTC that the moment is in.
    fileprivate var startOfHour: Timestamp {
        let remainder = millisecondsSince1970 % Self.hour
        let sinceHour = remainder < 0 ? remainder + Self.hour : remainder
        return Timestamp(millisecondsSince1970: millisecondsSince1970 - sinceHour)
    }
}
