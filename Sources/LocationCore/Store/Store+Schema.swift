internal import GRDB

extension Store {
    /// Returns the migrations to every version of the schema, oldest first. A released version never changes.
    ///
    /// A row of each table, as the present version writes it:
    ///
    ///     decision: uid 1000, app exe:/usr/bin/maps, level whenInUse, accuracy reduced, lifetime until,
    ///         until 1800086400, alwaysQuestionSpent 0, checksum 1439137873187505606
    ///     servicesOff: uid 1001, checksum 7082970321349063388
    ///     monitoring: uid 1000, app exe:/usr/bin/maps, kind significantChanges, wake /run/user/1000/maps,
    ///         since 1800000000000, lastDelivered
    ///         {"timestamp":"2027-01-15T08:00:00.000Z","latitude":52.5,"longitude":13.4,"horizontalAccuracy":4.0,"simulated":false}
    ///     region: uid 1000, app exe:/usr/bin/maps, identifier home, latitude 52.5, longitude 13.4, radius 150.0,
    ///         notifyOnEntry NULL, notifyOnExit 0, wake NULL, since 1800000000000, state inside
    ///     pendingEvent: uid 1000, app exe:/usr/bin/maps, method MonitorRegions, subject home,
    ///         parameters {"identifier":"home","state":"inside"}
    ///     visit: uid 1000, arrival 1800000000000, latitude 52.5, longitude 13.4, horizontalAccuracy 20.0,
    ///         departure NULL
    ///     accessLog: hour 1800000000000, uid 1000, app exe:/usr/bin/maps, accuracy full, background 0, deliveries 60,
    ///         lastDelivery 1800000000000
    ///     line: device 0403:6001 A50285BI, bitsPerSecond 9600, framing 8N1
    ///     retention: id 1, reached 1800000000000
    ///     onceHolder: uid 1000, app exe:/usr/bin/maps, boot 2f4f7f2c-5f7c-4f83-8b1e-0d1c5a0b7e11, pid 4711, start 123456,
    ///         checksum -1
    ///     desktopLimit: uid 1000, app exe:/usr/bin/gnome-shell, maximum off, checksum -1
    ///     modem: bus 8a7b0e6a31ce4f1fa1d4b5d7652fb3c1, service :1.7, path /org/freedesktop/ModemManager1/Modem/0
    ///
    /// - Parameter checksum: The checksum for the rows of the versions without checksums.
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
            // Times are in milliseconds since 1970, UTC; positions in degrees, WGS 84; lengths in metres.
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
            // hour is the start of the hour, and lastDelivery a time in it: milliseconds since 1970, UTC. The hour
            // comes first in the key: new rows are neighbours, and so are those that are erased together.
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
            // The last serial settings of each device.
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
            // parameters was the reply that would have carried the event, and becomes the event. A text that is not
            // JSON stays, and is rejected when it is read.
            try database.execute(
                sql: """
                    UPDATE pendingEvent SET parameters = coalesce(
                        json_extract(parameters, '$.update.location'), json_extract(parameters, '$.event'),
                        json_extract(parameters, '$.visit'), parameters)
                    WHERE json_valid(parameters)
                    """)
        }
        migrator.registerMigration("forgotten") { database in
            // What a grant has left when it ended: from now on, it is erased with the grant.
            for table in ["monitoring", "region", "pendingEvent"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE (uid, app) NOT IN "
                        + "(SELECT uid, app FROM decision WHERE level <> 'denied')")
            }
            try eraseUnobservedVisits(database)
        }
        migrator.registerMigration("modems") { database in
            // The modems whose receivers are switched on.
            try database.execute(
                sql: """
                    CREATE TABLE modem (
                        bus TEXT NOT NULL,
                        service TEXT NOT NULL,
                        path TEXT NOT NULL,
                        PRIMARY KEY (bus, service, path)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("retention") { database in
            // The time that has certainly been reached, in milliseconds since 1970.
            try database.execute(
                sql: """
                    CREATE TABLE retention (id INTEGER PRIMARY KEY CHECK (id = 1), reached INTEGER NOT NULL) STRICT;
                    """)
        }
        migrator.registerMigration("presence") { database in
            try database.execute(
                sql: """
                    -- The processes that have a grant for "once". boot: the ID of the machine's start. start: in clock
                    -- ticks since then.
                    CREATE TABLE onceHolder (
                        uid INTEGER NOT NULL,
                        app TEXT NOT NULL,
                        boot TEXT NOT NULL,
                        pid INTEGER NOT NULL,
                        start INTEGER NOT NULL,
                        checksum INTEGER,
                        PRIMARY KEY (uid, app, pid, start)
                    ) STRICT, WITHOUT ROWID;
                    -- The limits of users' desktops, by the agents that set them.
                    CREATE TABLE desktopLimit (
                        uid INTEGER NOT NULL,
                        app TEXT NOT NULL,
                        maximum TEXT NOT NULL,
                        checksum INTEGER,
                        UNIQUE (uid, app)
                    ) STRICT;
                    """)
        }
        return migrator
    }

    /// Adds a checksum to each row of the earlier versions, which had none.
    ///
    /// Attack, or accident: if the mark of this migration is damaged, the migration would run again, and validate a
    /// row that was damaged in the meantime. The tables reveal that: they have the column already, or another one in
    /// its place, and then the file counts as damaged.
    private static func addChecksums(_ checksum: RowChecksum, to database: Database) throws {
        for (table, columns) in [
            ("decision", ["uid", "app", "level", "accuracy", "lifetime", "until", "alwaysQuestionSpent"]),
            ("servicesOff", ["uid"]),
        ] {
            guard try database.columns(in: table).map(\.name) == columns else {
                throw Refusal.damage("the table \(table) is not as the version before left it")
            }
            // NULL never matches, so a row that is not understood is not validated.
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
