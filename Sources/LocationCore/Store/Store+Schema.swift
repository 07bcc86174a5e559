internal import GRDB

extension Store {
    /// Every version of the schema, oldest first. A version that was released never changes.
    ///
    /// - Parameter checksum: What the rows of the versions without checksums are given.
    static func migrator(_ checksum: RowChecksum) -> DatabaseMigrator {
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
        migrator.registerMigration("accessLog") { database in
            // hour is when it began, and lastDelivery a moment in it: milliseconds since 1970, UTC. The hour comes first in
            // the key: new rows are neighbours, and so are those that are erased together.
            try database.execute(
                sql: """
                    CREATE TABLE accessLog (
                        hour INTEGER NOT NULL,
                        uid INTEGER NOT NULL,
                        app TEXT NOT NULL,
                        accuracy TEXT NOT NULL,
                        background INTEGER NOT NULL,
                        deliveries INTEGER NOT NULL,
                        lastDelivery INTEGER NOT NULL,
                        PRIMARY KEY (hour, uid, app, accuracy, background)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("reduction") { database in
            try database.execute(
                sql: """
                    ALTER TABLE decision ADD COLUMN alwaysQuestionSpent INTEGER NOT NULL DEFAULT 0;
                    -- What the reducer of the machine keeps, as JSON.
                    CREATE TABLE reduction (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL) STRICT;
                    """)
        }
        migrator.registerMigration("lines") { database in
            // How the serial line of a device was read last.
            try database.execute(
                sql: """
                    CREATE TABLE line (
                        device TEXT NOT NULL PRIMARY KEY,
                        bitsPerSecond INTEGER NOT NULL,
                        framing TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("checksums") { try addChecksums(checksum, to: $0) }
        migrator.registerMigration("events") { database in
            // parameters was the reply that would have carried the event, and is the event. What is no JSON stays, and is
            // found not to be understood.
            try database.execute(
                sql: """
                    UPDATE pendingEvent SET parameters = coalesce(
                        json_extract(parameters, '$.update.location'), json_extract(parameters, '$.event'),
                        json_extract(parameters, '$.visit'), parameters)
                    WHERE json_valid(parameters)
                    """)
        }
        return migrator
    }

    /// Gives each row a checksum that has none, because the versions before knew of none.
    ///
    /// Attack, or accident: where the mark of this migration is damaged, it would run again, and make a row good that was
    /// damaged in the meantime. The tables tell: they have the column already, or another one in its place, and then the
    /// file counts as damaged.
    private static func addChecksums(_ checksum: RowChecksum, to database: Database) throws {
        for (table, columns) in [
            ("decision", ["uid", "app", "level", "accuracy", "lifetime", "until", "alwaysQuestionSpent"]),
            ("servicesOff", ["uid"]),
        ] {
            guard try database.columns(in: table).map(\.name) == columns else {
                throw Refusal.damage("the table \(table) is not as the version before left it")
            }
            // NULL matches nothing: a row that is not understood is not made good.
            try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN checksum INTEGER")
        }
        for row in try Row.fetchAll(database, sql: "SELECT \(DecisionRow.columns) FROM decision") {
            guard let (key, decision) = DecisionRow.parse(row) else { continue }
            try DecisionRow.insert(decision, about: key, checksum, into: database)
        }
        for row in try Row.fetchAll(database, sql: "SELECT uid FROM servicesOff") {
            try ServicesOffRow(row)?.addChecksum(checksum, in: database)
        }
    }
}
