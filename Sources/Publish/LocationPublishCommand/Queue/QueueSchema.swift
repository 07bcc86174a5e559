internal import Foundation
internal import GRDB
internal import StateFiles

/// The tables of the queue.
enum QueueSchema {
    /// The version of the schema, in SQLite's `user_version`. Another schema has another number.
    static let version = 1

    // Times are in milliseconds since 1970. AUTOINCREMENT: a number is never used again. keyCheck: the check value of
    // the key of the contents; NULL if they are in the clear. refused: the reports that the server has refused, in the
    // same form.
    private static let tables = """
        CREATE TABLE report (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            stored INTEGER NOT NULL,
            content BLOB NOT NULL
        ) STRICT;
        CREATE INDEX reportByTime ON report (stored);
        CREATE TABLE queue (name TEXT NOT NULL, lastTime INTEGER, keyCheck BLOB) STRICT;
        CREATE TABLE refused (
            number INTEGER PRIMARY KEY,
            stored INTEGER NOT NULL,
            content BLOB NOT NULL,
            reason TEXT NOT NULL
        ) STRICT;
        """

    /// Returns the version of a file; 0 if it is new.
    static func version(of database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    /// Throws an error if SQLite finds the file damaged.
    static func check(_ database: Database) throws {
        let verdict = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? "no answer"
        guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
    }

    /// Creates the tables in an empty file, with contents encrypted if there is a secret. Checks that the tables exist.
    static func prepare(_ database: Database, secret: [UInt8]?) throws {
        let found = try version(of: database)
        let tables = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        // Tables without a version belong to another program.
        if found == 0, tables.isEmpty {
            try database.execute(sql: self.tables)
            let name = (0..<16).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }.joined()
            try database.execute(sql: "INSERT INTO queue (name) VALUES (?)", arguments: [name])
            try database.execute(sql: "PRAGMA user_version = \(version)")
        }
        let rows = try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM queue WHERE typeof(name) = 'text' AND typeof(lastTime) IN ('integer', 'null')
                AND typeof(keyCheck) IN ('blob', 'null')
                """)
        guard rows == 1 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table queue has not one row")
        }
        _ = try Row.fetchOne(database, sql: "SELECT number, stored, content FROM report LIMIT 1")
        _ = try Row.fetchOne(database, sql: "SELECT number, stored, content, reason FROM refused LIMIT 1")
        guard found == 0, tables.isEmpty, let secret else { return }
        let cipher = try StateCipher(secret: secret, queue: QueueFacts(database).name)
        try database.execute(sql: "UPDATE queue SET keyCheck = ?", arguments: [Data(cipher.check)])
    }
}
