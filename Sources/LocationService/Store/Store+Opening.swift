internal import GRDB
internal import Glibc

extension Store {
    /// Opens and migrates the database, and checks that it is whole.
    static func openSound(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "locationd.database"
        configuration.prepareDatabase { database in
            // Not by GRDB's own setting for WAL: that one synchronises at checkpoints only, and a power cut would take the
            // last decisions back.
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { database in
            let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "no answer"
            guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
        }
        try migrator.migrate(queue)
        return queue
    }

    /// Every version of the schema, oldest first. A version that was released never changes.
    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("decisions") { database in
            try database.execute(
                sql: """
                    CREATE TABLE decision (
                        uid INTEGER NOT NULL,
                        app TEXT NOT NULL,
                        level TEXT NOT NULL,
                        accuracy TEXT NOT NULL,
                        lifetime TEXT NOT NULL,
                        until INTEGER,
                        PRIMARY KEY (uid, app)
                    ) STRICT, WITHOUT ROWID;
                    -- Where location services are off: uid NULL is the whole machine.
                    CREATE TABLE servicesOff (uid INTEGER UNIQUE) STRICT;
                    """)
        }
        return migrator
    }

    /// Renames the database and what belongs to it; the new name of the main file.
    static func setAside(_ path: String, suffix: String) throws -> String {
        for part in ["", "-wal", "-shm"] where access(path + part, F_OK) == 0 {
            guard rename(path + part, path + suffix + part) == 0 else {
                throw Failure(description: "renaming \(path + part): \(String(cString: strerror(errno)))")
            }
        }
        return path + suffix
    }
}

extension DatabaseError {
    /// Whether the file itself is bad, not the disk or a permission.
    var isDamage: Bool {
        let code = resultCode.primaryResultCode
        return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB || code == .SQLITE_ERROR
    }
}
