internal import AuthorizationPolicy
internal import Bytewise
internal import GRDB
internal import LocationModel
internal import NIOCore

extension Store {
    /// Returns the certainly reached time at its last write, or else the newest row's time; `nil` if there is none.
    func loadReached() -> Timestamp? {
        let milliseconds = try? read { database in
            try Int64.fetchOne(database, sql: "SELECT reached FROM retention WHERE id = 1")
                ?? Int64.fetchOne(
                    database,
                    sql: """
                        SELECT max(newest) FROM
                        (SELECT max(lastDelivery) AS newest FROM accessLog UNION ALL SELECT max(arrival) FROM visit)
                        """)
        }
        return milliseconds.flatMap(\.self).flatMap(\.self).map { Timestamp(millisecondsSince1970: $0) }
    }

    /// Adds deliveries to the stored ones, and erases hours that began before `limit`. Succeeds once that is on disk.
    ///
    /// - Parameter reached: The time that has certainly been reached.
    func add(
        _ rows: [AccessLogRow], forgettingBefore limit: Timestamp, reached: Timestamp, on loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        write(on: loop) { database in
            let insertion = try database.cachedStatement(
                sql: """
                    INSERT INTO accessLog (hour, uid, app, accuracy, background, deliveries, lastDelivery)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET deliveries = deliveries + excluded.deliveries,
                        lastDelivery = max(lastDelivery, excluded.lastDelivery)
                    """)
            for row in rows {
                try insertion.execute(arguments: [
                    row.key.hour.millisecondsSince1970, row.key.app.storedUID, row.key.app.app.description,
                    row.key.accuracy.rawValue, row.key.inBackground, row.tally.deliveries,
                    row.tally.lastDelivery.millisecondsSince1970,
                ])
            }
            try database.execute(
                sql: "DELETE FROM accessLog WHERE hour < ?", arguments: [limit.millisecondsSince1970])
            try database.execute(
                sql: "INSERT OR REPLACE INTO retention (id, reached) VALUES (1, ?)",
                arguments: [reached.millisecondsSince1970])
        }
    }

    /// Returns the rows stored since `limit` together with `rows`, for a user or, if `uid` is `nil`, for all users. The
    /// latest entries come first, as many as `size` bytes on the wire can hold. Rows that are not understood are left
    /// out.
    func accessLog(
        of uid: UInt32?, since limit: Timestamp, adding rows: [AccessLogRow], atMost size: Int,
        on loop: any EventLoop
    ) -> EventLoopFuture<[AccessLogEntry]> {
        read(on: loop) { database in
            var tallies: [AccessLogRow.Key: AccessLogRow.Tally] = [:]
            func add(_ row: AccessLogRow) {
                if tallies[row.key]?.add(row.tally) == nil { tallies[row.key] = row.tally }
            }
            if let database {
                let stored = try Row.fetchCursor(
                    database,
                    sql: """
                        SELECT hour, uid, app, accuracy, background, deliveries, lastDelivery FROM accessLog
                        WHERE hour >= ? AND (? IS NULL OR uid = ?)
                        ORDER BY hour DESC, uid DESC, app DESC, accuracy DESC, background DESC LIMIT ?
                        """,
                    arguments: [
                        limit.millisecondsSince1970, uid.map { Int64($0) }, uid.map { Int64($0) },
                        size / AccessLogEntry.leastSize,
                    ])
                while let row = try stored.next() { AccessLogRow(row).map(add) }
            }
            for row in rows where row.key.hour >= limit { add(row) }
            let entries = tallies.map { key, tally in
                AccessLogEntry(
                    key: key.app, hour: key.hour, deliveries: tally.deliveries, accuracy: key.accuracy,
                    background: key.inBackground)
            }
            var left = size
            return entries.sorted(by: AccessLogEntry.areInOrder).prefix { entry in
                left -= entry.greatestSize
                return left >= 0
            }
        }
    }

    /// Returns the last use of each app since `limit`. Rows that cannot be read are left out.
    func lastUses(since limit: Timestamp) -> [AccessLogRow] {
        let rows = try? read { database in
            // If max() is the only aggregate, SQLite reads the other columns from the row with the maximum.
            try Row.fetchAll(
                database,
                sql: """
                    SELECT hour, uid, app, accuracy, background, deliveries, max(lastDelivery) AS lastDelivery
                    FROM accessLog WHERE hour > ? AND lastDelivery >= ? GROUP BY uid, app
                    """,
                arguments: [limit.millisecondsSince1970 - 3_600_000, limit.millisecondsSince1970]
            ).compactMap(AccessLogRow.init)
        }
        return rows ?? []
    }
}

extension AccessLogRow {
    /// Creates a row from a stored one, or `nil` if any part of it is not understood.
    fileprivate init?(_ row: Row) {
        guard let app = AppKey(row), let hour = Timestamp(stored: row["hour"]),
            let accuracy = String.fromDatabaseValue(row["accuracy"]).flatMap(AccuracyAuthorization.init(rawValue:)),
            let background = Int64.fromDatabaseValue(row["background"]), (0...1).contains(background),
            let deliveries = Int.fromDatabaseValue(row["deliveries"]),
            (1...Self.plausibleDeliveries).contains(deliveries),
            let lastDelivery = Timestamp(stored: row["lastDelivery"]), Self.plausibleHours.contains(hour),
            (0..<3600).contains(lastDelivery.seconds(since: hour))
        else { return nil }
        self.init(
            key: Key(app: app, hour: hour, accuracy: accuracy, inBackground: background == 1),
            tally: Tally(deliveries: deliveries, lastDelivery: lastDelivery))
    }

    /// The greatest number of deliveries in a valid row. Greater numbers are damage, and their sums might overflow.
    private static var plausibleDeliveries: Int { 1 << 48 }

    /// The hours in years of four digits, as in RFC 3339.
    private static var plausibleHours: Range<Timestamp> {
        Timestamp(millisecondsSince1970: 0)..<Timestamp(millisecondsSince1970: 253_402_300_800_000)
    }
}

extension AccessLogEntry {
    /// The size of an entry as JSON without its app's name, in bytes. With the longest numbers it is 135.
    fileprivate static let leastSize = 140
    /// The size of the entry if every character of the name is escaped.
    fileprivate var greatestSize: Int { Self.leastSize + 2 * app.utf8.count }

    /// Returns whether `a` comes before `b`. The latest hour comes first.
    fileprivate static func areInOrder(_ a: AccessLogEntry, _ b: AccessLogEntry) -> Bool {
        if a.hour != b.hour { return a.hour > b.hour }
        let (app, other) = (BytewiseString(a.app), BytewiseString(b.app))
        if (a.uid, app) != (b.uid, other) { return (a.uid, app) < (b.uid, other) }
        return (a.accuracy.rawValue, a.background ? 1 : 0) < (b.accuracy.rawValue, b.background ? 1 : 0)
    }
}
