internal import GRDB

/// The reports that the server has permanently refused: kept beside the queue, with the reason, and not sent. Each
/// function is part of a transaction.
enum RefusedReports {
    /// The maximum number of refused reports. Beyond that, the oldest are dropped.
    static let maximumCount = 1000

    /// Copies a report from the queue. Returns the number of refused reports.
    static func add(_ number: Int64, reason: String, _ database: Database) throws -> Int {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO refused (number, stored, content, reason)
                SELECT number, stored, content, ? FROM report WHERE number = ?
                """, arguments: [reason, number])
        try database.execute(
            sql: """
                DELETE FROM refused WHERE number NOT IN (SELECT number FROM refused ORDER BY number DESC LIMIT ?)
                """, arguments: [maximumCount])
        return try count(database)
    }

    /// Returns the number of refused reports.
    static func count(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM refused") ?? 0
    }

    /// Puts all refused reports back into the queue, keeping their numbers and so their order. Returns their number.
    static func requeue(_ database: Database) throws -> Int {
        let count = try count(database)
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO report (number, stored, content) SELECT number, stored, content FROM refused;
                DELETE FROM refused;
                """)
        return count
    }
}
