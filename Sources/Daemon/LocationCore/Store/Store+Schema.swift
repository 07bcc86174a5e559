internal import GRDB

extension Store {
    /// The migrations to every version of the schema, oldest first. A released version never changes.
    ///
    /// A row of each table, as the present version writes it:
    ///
    ///     decision: uid 1000, app exe:/usr/bin/maps, level whenInUse, accuracy reduced, lifetime until,
    ///         until 1800086400, alwaysPromptSpent 0, checksum 1439137873187505606
    ///     servicesOff: uid 1001, checksum 7082970321349063388
    ///     monitoring: uid 1000, app exe:/usr/bin/maps, kind significantChanges, wake /run/user/1000/maps,
    ///         since 1800000000000, lastDelivered
    ///         {"timestamp":"2027-01-15T08:00:00.000Z","latitude":52.5,"longitude":13.4,"horizontalAccuracy":4.0,"simulated":false}
    ///     region: uid 1000, app exe:/usr/bin/maps, identifier home, latitude 52.5, longitude 13.4, radius 150.0,
    ///         uuid NULL, major NULL, minor NULL, notifyOnEntry NULL, notifyOnExit 0, wake NULL, since 1800000000000,
    ///         state inside
    ///     pendingEvent: uid 1000, app exe:/usr/bin/maps, kind region, subject home,
    ///         parameters {"identifier":"home","state":"inside"}
    ///     visit: uid 1000, arrival 1800000000000, latitude 52.5, longitude 13.4, horizontalAccuracy 20.0,
    ///         departure NULL
    ///     accessLog: hour 1800000000000, uid 1000, app exe:/usr/bin/maps, accuracy full, background 0, deliveries 60,
    ///         lastDelivery 1800000000000
    ///     serialSettings: device 0403:6001 A50285BI, bitsPerSecond 9600, framing 8N1
    ///     retention: id 1, reached 1800000000000
    ///     onceHolder: uid 1000, app exe:/usr/bin/maps, boot 2f4f7f2c-5f7c-4f83-8b1e-0d1c5a0b7e11, pid 4711, start 123456,
    ///         checksum -1
    ///     desktopLimit: uid 1000, app exe:/usr/bin/gnome-shell, maximum off, checksum -1
    ///     modem: bus 8a7b0e6a31ce4f1fa1d4b5d7652fb3c1, service :1.7, path /org/freedesktop/ModemManager1/Modem/0
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Times are in milliseconds since 1970, UTC; positions in degrees, WGS 84; lengths in metres.
        migrator.registerMigration("0.9") { try $0.execute(sql: tables) }
        return migrator
    }

    private static let tables = """
        CREATE TABLE decision (
            uid INTEGER NOT NULL,
            app TEXT NOT NULL,
            level TEXT NOT NULL,
            accuracy TEXT NOT NULL,
            lifetime TEXT NOT NULL,
            until INTEGER,
            alwaysPromptSpent INTEGER NOT NULL,
            -- Without one, a row does not count.
            checksum INTEGER,
            PRIMARY KEY (uid, app)
        ) STRICT, WITHOUT ROWID;
        -- Where location services are off: uid NULL is the whole machine.
        CREATE TABLE servicesOff (uid INTEGER UNIQUE, checksum INTEGER) STRICT;
        -- The processes that have a grant for "once". boot: the ID of the machine's start. start: in clock ticks since then.
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
        -- A circle, or the range of beacons, which has a UUID.
        CREATE TABLE region (
            uid INTEGER NOT NULL,
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            latitude REAL,
            longitude REAL,
            radius REAL,
            uuid TEXT,
            major INTEGER,
            minor INTEGER,
            notifyOnEntry INTEGER,
            notifyOnExit INTEGER,
            wake TEXT,
            since INTEGER NOT NULL,
            state TEXT NOT NULL,
            PRIMARY KEY (uid, app, identifier),
            CHECK (uuid IS NOT NULL OR latitude + longitude + radius IS NOT NULL)
        ) STRICT, WITHOUT ROWID;
        -- With a rowid: it keeps the order in which the events were put.
        CREATE TABLE pendingEvent (
            uid INTEGER NOT NULL,
            app TEXT NOT NULL,
            kind TEXT NOT NULL,
            subject TEXT NOT NULL,
            parameters TEXT NOT NULL,
            PRIMARY KEY (uid, app, kind, subject)
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
        -- hour is the start of the hour, and lastDelivery a time in it. The hour comes first in the key: new rows are
        -- neighbours, and so are those that are erased together.
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
        -- The state of the machine's reducer, as JSON.
        CREATE TABLE reduction (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL) STRICT;
        -- The time that has certainly been reached.
        CREATE TABLE retention (id INTEGER PRIMARY KEY CHECK (id = 1), reached INTEGER NOT NULL) STRICT;
        -- The last serial settings of each device.
        CREATE TABLE serialSettings (
            device TEXT NOT NULL PRIMARY KEY,
            bitsPerSecond INTEGER NOT NULL,
            framing TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        -- The modems whose receivers are switched on.
        CREATE TABLE modem (
            bus TEXT NOT NULL,
            service TEXT NOT NULL,
            path TEXT NOT NULL,
            PRIMARY KEY (bus, service, path)
        ) STRICT, WITHOUT ROWID;
        """
}
