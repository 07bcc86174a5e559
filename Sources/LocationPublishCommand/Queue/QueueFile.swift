internal import Foundation
internal import GRDB
internal import LocationModel
internal import StateFiles

/// The file of the queue: opening, checking and creating it.
enum QueueFile {
    /// The version of the schema, in SQLite's `user_version`.
    static let version = 1

    /// Opens the file, and creates it if there is none. Sets a damaged one aside.
    static func open(
        _ path: String, now: Timestamp, busyTimeout: Double
    ) throws(QueueFailure) -> (DatabaseQueue, notices: [String]) {
        do {
            return (try openSound(path, busyTimeout), [])
        } catch {
            guard error.isDamage else { throw error }
            let aside: String
            do {
                aside = try setAside(database: path, suffix: ".damaged-\(now)")
            } catch {
                throw QueueFailure(error, path: path)
            }
            return (
                try openSound(path, busyTimeout),
                ["the queue was damaged: set aside as \(aside); what waited in it is not sent"]
            )
        }
    }

    private static func openSound(_ path: String, _ busyTimeout: Double) throws(QueueFailure) -> DatabaseQueue {
        do {
            var configuration = Configuration()
            configuration.label = "locationd-publish.queue"
            configuration.busyMode = .timeout(busyTimeout)
            configuration.prepareDatabase { database in
                // Before anything is written: what another version has there is not to be changed.
                let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                guard found == 0 || found == version else {
                    throw QueueFailure.otherVersion(path: path, version: found)
                }
                // The file becomes smaller again once the reports are sent. Counts for a new file only.
                try database.execute(sql: "PRAGMA auto_vacuum = FULL")
                try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
                // Attack: a thief gets the disk, and with it the places that were deleted but not overwritten.
                try database.execute(sql: "PRAGMA secure_delete = ON")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try check(queue)
            try queue.write { try create($0) }
            // What was deleted before is not to stay in the journal either.
            _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            return queue
        } catch {
            throw QueueFailure(error, path: path)
        }
    }

    private static func check(_ queue: DatabaseQueue) throws {
        let verdict = try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") } ?? "no answer"
        guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
    }

    /// Creates the tables in an empty file. In another one, checks that they are there.
    private static func create(_ database: Database) throws {
        let tables = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        if tables.isEmpty, try Int.fetchOne(database, sql: "PRAGMA user_version") == 0 {
            // Times are in milliseconds since 1970. AUTOINCREMENT: a number is never used again.
            try database.execute(
                sql: """
                    CREATE TABLE report (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        stored INTEGER NOT NULL,
                        content BLOB NOT NULL
                    ) STRICT;
                    CREATE INDEX reportByTime ON report (stored);
                    CREATE TABLE queue (name TEXT NOT NULL, lastTime INTEGER) STRICT;
                    PRAGMA user_version = \(version);
                    """)
            let name = String(UInt64.random(in: 0...UInt64.max), radix: 16)
            try database.execute(
                sql: "INSERT INTO queue (name) VALUES (?)",
                arguments: [String(repeating: "0", count: 16 - name.count) + name])
        }
        let rows = try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM queue WHERE typeof(name) = 'text' AND typeof(lastTime) IN ('integer', 'null')
                """)
        guard rows == 1 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table queue has not one row")
        }
        _ = try Row.fetchOne(database, sql: "SELECT number, stored, content FROM report LIMIT 1")
    }

    /// What is known of a queue when it has been opened.
    struct Facts: Sendable {
        var name = ""
        /// The time of the last location that was ever put into the queue.
        var lastTime: Timestamp?
        /// The number of the last report that was ever put into the queue.
        var last: Int64 = 0
        var count = 0
        var bytes = 0
    }

    /// Reads what is known of the queue.
    static func facts(_ database: Database) throws -> Facts {
        var facts = Facts()
        facts.name = try String.fetchOne(database, sql: "SELECT name FROM queue") ?? ""
        let time = try Int64.fetchOne(database, sql: "SELECT lastTime FROM queue")
        facts.lastTime = time.map { Timestamp(millisecondsSince1970: $0) }
        facts.last = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'report'") ?? 0
        facts.count = try Int.fetchOne(database, sql: "SELECT count(*) FROM report") ?? 0
        facts.bytes = try Int.fetchOne(database, sql: "SELECT coalesce(sum(length(content)), 0) FROM report") ?? 0
        return facts
    }
}
