internal import GRDB
internal import Glibc

extension Store {
    /// Opens and migrates the database, and checks that it is whole.
    static func openSound(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "locationd.database"
        // Somebody may look into the file, or a daemon that ends may be closing it: no reason to grant nothing.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            // Not by GRDB's own setting for WAL: that one synchronises at checkpoints only, and a power cut would take the
            // last decisions back.
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            // Attack: someone gets the disk, and with it the places that were deleted but not written over.
            try database.execute(sql: "PRAGMA secure_delete = ON")
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
        migrator.registerMigration("monitoring") { database in
            // Moments are milliseconds since 1970, UTC; places degrees, WGS 84; lengths metres.
            try database.execute(
                sql: """
                    CREATE TABLE monitoring (
                        uid INTEGER NOT NULL,
                        app TEXT NOT NULL,
                        kind TEXT NOT NULL,
                        wake TEXT,
                        since INTEGER NOT NULL,
                        -- A Location of the interface io.locationd.Location, as JSON.
                        lastDelivered TEXT,
                        PRIMARY KEY (uid, app, kind)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE region (
                        uid INTEGER NOT NULL,
                        app TEXT NOT NULL,
                        identifier TEXT NOT NULL,
                        latitude REAL NOT NULL,
                        longitude REAL NOT NULL,
                        radius REAL NOT NULL,
                        notifyOnEntry INTEGER,
                        notifyOnExit INTEGER,
                        wake TEXT,
                        since INTEGER NOT NULL,
                        state TEXT NOT NULL,
                        PRIMARY KEY (uid, app, identifier)
                    ) STRICT, WITHOUT ROWID;
                    -- With a rowid: it keeps the order in which the events were put.
                    CREATE TABLE pendingEvent (
                        uid INTEGER NOT NULL,
                        app TEXT NOT NULL,
                        method TEXT NOT NULL,
                        subject TEXT NOT NULL,
                        parameters TEXT NOT NULL,
                        PRIMARY KEY (uid, app, method, subject)
                    ) STRICT;
                    -- departure is NULL while the visit lasts.
                    CREATE TABLE visit (
                        uid INTEGER NOT NULL,
                        arrival INTEGER NOT NULL,
                        latitude REAL NOT NULL,
                        longitude REAL NOT NULL,
                        horizontalAccuracy REAL NOT NULL,
                        departure INTEGER,
                        PRIMARY KEY (uid, arrival)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("reduction") { database in
            try database.execute(
                sql: """
                    ALTER TABLE decision ADD COLUMN alwaysQuestionSpent INTEGER NOT NULL DEFAULT 0;
                    CREATE TABLE reduction (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL) STRICT;
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
