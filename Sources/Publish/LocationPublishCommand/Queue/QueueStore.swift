internal import Foundation
internal import GRDB
internal import LocationModel
internal import NIOConcurrencyHelpers
internal import Publishing

/// The reports to delete from the queue when the user changes the publisher's authorization.
enum QueueClearing: Sendable {
    /// All reports.
    case everything
    /// The reports more accurate than reduced accuracy permits.
    case fullAccuracy
}

/// The queue on the disk, in SQLite: reports waiting for the server's acknowledgement.
///
/// A report is on the disk when ``append(_:at:)`` returns: each commit is synchronised, so neither `kill -9` nor a
/// power cut loses it. Each function waits for the disk, and is called on one thread at a time.
final class QueueStore: Sendable {
    /// The result of ``append(_:at:)``.
    struct Appended: Sendable {
        /// The reports, with their identities.
        var entries: [QueuedReport]
        /// The number of older reports dropped because the queue had reached a bound.
        var dropped: Int
    }

    /// The result of ``read(after:count:)``.
    struct Reading: Sendable {
        /// The reports, oldest first.
        var entries: [QueuedReport]
        /// The newest location, or `nil` if there is none.
        var newest: QueuedReport?
        /// The number of invalid entries in the file, which were skipped.
        var unreadable = 0
    }

    private struct Size: Sendable {
        var count: Int
        var bytes: Int
        var refused: Int
    }

    let path: String
    /// The name of this queue, in the identities of its reports.
    let name: String
    /// The time of the last location ever put into the queue, or `nil` if there was none.
    let lastTime: Timestamp?
    /// The number of the last report that an earlier run put into the queue.
    let lastOfEarlierRuns: Int64
    /// The messages about the queue at the start, for the log.
    let notices: [String]

    let database: DatabaseQueue
    private let bounds: QueueBounds
    private let coding: ReportCoding
    private let size: NIOLockedValueBox<Size>

    /// Opens the queue, and creates it if there is none. A file that is damaged or needs another secret is set aside
    /// under another name and replaced by an empty queue.
    ///
    /// - Parameters:
    ///   - secret: The secret that encrypts the contents, or `nil` for contents in the clear.
    ///   - now: The time, for the name of a file that is set aside.
    ///   - busyTimeout: The time to wait for another process to unlock the file, in seconds.
    init(
        path: String, bounds: QueueBounds, secret: [UInt8]? = nil, now: Timestamp, busyTimeout: Double = 5
    ) throws(QueueFailure) {
        self.path = path
        self.bounds = bounds
        let opened = try QueueFile.open(path, secret: secret, now: now, busyTimeout: busyTimeout)
        notices = opened.notices
        database = opened.database
        coding = ReportCoding(cipher: opened.cipher)
        name = opened.facts.name
        lastTime = opened.facts.lastTime
        lastOfEarlierRuns = opened.facts.last
        size = NIOLockedValueBox(
            Size(
                count: opened.facts.count, bytes: opened.facts.bytes, refused: opened.facts.refusedCount))
    }

    /// The number of reports in the queue.
    var count: Int { size.withLockedValue { $0.count } }
    /// The number of reports refused by the server and set aside.
    var refusedCount: Int { size.withLockedValue { $0.refused } }

    /// Puts reports into the queue, in one transaction. Drops the oldest reports if a bound is reached.
    func append(_ reports: [Report], at now: Timestamp) throws(QueueFailure) -> Appended {
        try change { database, size in
            var entries: [QueuedReport] = []
            var number = try QueueFacts.last(database)
            for report in reports {
                number += 1
                let content = try self.coding.encode(report, number: number)
                try database.execute(
                    sql: "INSERT INTO report (number, stored, content) VALUES (?, ?, ?)",
                    arguments: [number, now.millisecondsSince1970, Data(content)])
                let identity = ReportIdentity(queue: self.name, number: number)
                entries.append(QueuedReport(identity: identity, report: report))
                size.count += 1
                size.bytes += content.count
            }
            if let last = reports.last(where: { $0.crossing == nil }) {
                try database.execute(
                    sql: "UPDATE queue SET lastTime = ?", arguments: [last.location.timestamp.millisecondsSince1970])
            }
            let dropped = try self.dropExcess(database, &size) + self.dropOld(database, &size, now: now)
            return Appended(entries: entries, dropped: dropped)
        }
    }

    /// Reads up to `count` reports after the report `number`, and the newest location.
    func read(after number: Int64, count: Int) throws(QueueFailure) -> Reading {
        do {
            return try database.read { database in
                var reading = Reading(entries: [])
                let rows = try Row.fetchCursor(
                    database, sql: "SELECT number, content FROM report WHERE number > ? ORDER BY number",
                    arguments: [number])
                while reading.entries.count < count, let row = try rows.next() {
                    if let entry = self.entry(row) { reading.entries.append(entry) } else { reading.unreadable += 1 }
                }
                let newest = try Row.fetchCursor(
                    database, sql: "SELECT number, content FROM report ORDER BY number DESC LIMIT 100")
                while reading.newest == nil, let row = try newest.next() {
                    if let entry = self.entry(row), entry.report.crossing == nil { reading.newest = entry }
                }
                return reading
            }
        } catch {
            throw QueueFailure(error, path: path)
        }
    }

    /// Deletes reports. Numbers that are not in the queue are ignored.
    func delete(_ numbers: [Int64]) throws(QueueFailure) {
        try change { database, size in
            for number in numbers { try self.delete(number, database, &size) }
        }
    }

    /// Sets aside a report that the server has refused. A number that is not in the queue is ignored.
    func setAside(_ number: Int64, reason: String) throws(QueueFailure) {
        try change { database, size in
            size.refused = try RefusedReports.add(number, reason: reason, database)
            try self.delete(number, database, &size)
        }
    }

    /// Deletes reports, from the journal and the refused reports too, and the files set aside.
    func clear(_ what: QueueClearing) throws(QueueFailure) {
        try change { database, size in
            switch what {
            case .everything:
                try database.execute(sql: "DELETE FROM report; DELETE FROM refused")
                size = Size(count: 0, bytes: 0, refused: 0)
            case .fullAccuracy:
                for number in try self.numbersOfFullAccuracy("report", database) {
                    try self.delete(number, database, &size)
                }
                for number in try self.numbersOfFullAccuracy("refused", database) {
                    try database.execute(sql: "DELETE FROM refused WHERE number = ?", arguments: [number])
                }
                size.refused = try RefusedReports.count(database)
            }
        }
        do { try QueueFile.removeTraces(database, path) } catch { throw QueueFailure(error, path: path) }
    }

    /// Drops the reports older than the maximum age. Returns their number.
    func dropOld(now: Timestamp) throws(QueueFailure) -> Int {
        try change { database, size in try self.dropOld(database, &size, now: now) }
    }

    /// Shifts the times when this run's reports were queued, because the machine's clock was set.
    func shiftTimes(by seconds: Double) throws(QueueFailure) {
        let first = lastOfEarlierRuns
        let milliseconds = Int64(exactly: (seconds * 1000).rounded()) ?? 0
        try change { database, _ in
            for table in ["report", "refused"] {
                try database.execute(
                    sql: "UPDATE \(table) SET stored = stored + ? WHERE number > ?", arguments: [milliseconds, first])
            }
        }
    }

    // MARK: In a transaction

    private func change<Value>(
        _ body: (Database, inout Size) throws -> Value
    ) throws(QueueFailure) -> Value {
        do {
            // The size takes effect once the transaction is on the disk.
            var size = size.withLockedValue { $0 }
            let value = try database.write { try body($0, &size) }
            self.size.withLockedValue { $0 = size }
            return value
        } catch {
            throw QueueFailure(error, path: path)
        }
    }

    /// Returns the numbers of the reports that have full accuracy or are invalid.
    private func numbersOfFullAccuracy(_ table: String, _ database: Database) throws -> [Int64] {
        var numbers: [Int64] = []
        let rows = try Row.fetchCursor(database, sql: "SELECT number, content FROM \(table)")
        while let row = try rows.next() {
            if let number = Int64.fromDatabaseValue(row["number"]), entry(row)?.report.hasReducedAccuracy != true {
                numbers.append(number)
            }
        }
        return numbers
    }

    private func delete(_ number: Int64, _ database: Database, _ size: inout Size) throws {
        let bytes = try Int.fetchOne(
            database, sql: "DELETE FROM report WHERE number = ? RETURNING length(content)", arguments: [number])
        guard let bytes else { return }
        size.count -= 1
        size.bytes -= bytes
    }

    private func dropExcess(_ database: Database, _ size: inout Size) throws -> Int {
        var dropped = 0
        while bounds.isExceeded(count: size.count, size: size.bytes),
            let oldest = try Int64.fetchOne(database, sql: "SELECT min(number) FROM report")
        {
            try delete(oldest, database, &size)
            dropped += 1
        }
        return dropped
    }

    private func dropOld(_ database: Database, _ size: inout Size, now: Timestamp) throws -> Int {
        // After a clock was set back: reports that seem to come from the future start to age now.
        for table in ["report", "refused"] {
            try database.execute(
                sql: "UPDATE \(table) SET stored = ? WHERE stored > ?",
                arguments: [now.millisecondsSince1970, now.millisecondsSince1970])
        }
        let limit = now.millisecondsSince1970 - Int64(bounds.maximumAge) * 1000
        let old = try Int64.fetchAll(
            database, sql: "SELECT number FROM report WHERE stored < ?", arguments: [limit])
        for number in old { try delete(number, database, &size) }
        // Refused reports are also locations on the disk.
        try database.execute(sql: "DELETE FROM refused WHERE stored < ?", arguments: [limit])
        size.refused = try RefusedReports.count(database)
        return old.count
    }

    private func entry(_ row: Row) -> QueuedReport? {
        // Not `row["content"] as Data`: a damaged file may hold any type, and that would crash the process.
        guard let content = Data.fromDatabaseValue(row["content"]),
            let number = Int64.fromDatabaseValue(row["number"]),
            let report = coding.decode(Array(content), number: number)
        else { return nil }
        return QueuedReport(identity: ReportIdentity(queue: name, number: number), report: report)
    }
}
