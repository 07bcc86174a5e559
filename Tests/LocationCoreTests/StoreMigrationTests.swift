import AuthorizationPolicy
import Foundation
import GRDB
import JSON
import LocationModel
import TestSupport
import Testing

@testable import LocationCore

/// The migration of a database whose rows have no checksums: they get them once, and never again.
@Suite struct StoreMigrationTests {
    private let temporary: TemporaryFolder
    private var path: String { temporary.path + "/locationd.db" }
    private let maps = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/maps")!)

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func open() -> Store { Store(path: path, timestamp: "then") }

    /// Creates a database as the version before checksums left it.
    private func makeOlder(_ rows: String...) throws {
        let queue = try DatabaseQueue(path: path)
        try Store.migrator(Store.testChecksum).migrate(queue, upTo: "lines")
        for row in rows { try queue.write { try $0.execute(sql: "INSERT INTO \(row)") } }
        try queue.close()
    }

    private func execute(_ sql: String) throws { try Store.behindItsBack(path) { try $0.execute(sql: sql) } }

    @Test func anEarlierVersionKeepsWhatWasDecided() throws {
        try makeOlder(
            "decision VALUES (1000, 'exe:/usr/bin/maps', 'whenInUse', 'reduced', 'until', 1800000000, 0)",
            "decision VALUES (1000, 'exe:/usr/bin/radio', 'denied', 'full', 'permanent', NULL, 1)",
            "decision VALUES (1000, 'exe:/usr/bin/mail', 'superuser', 'full', 'permanent', NULL, 0)",
            "servicesOff VALUES (1001)", "servicesOff VALUES (NULL)")
        for _ in 0..<2 {
            let store = open()
            #expect(store.notices == [])
            let (table, notices) = store.loadDecisions()
            #expect(
                table.decision(about: maps)
                    == Decision(
                        level: .whenInUse, accuracy: .reduced, lifetime: .until(secondsSince1970: 1_800_000_000)))
            #expect(
                table.decision(about: AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/radio")!))
                    == Decision(level: .denied, alwaysPromptSpent: true))
            #expect(table.decidedApps(of: nil).count == 2)
            #expect(!table.servicesEnabledOnMachine && !table.servicesEnabled(for: 1001))
            #expect(notices.count == 1 && notices[0].contains("1000 exe:/usr/bin/mail"), "\(notices)")
        }
        // A row that could not be parsed during the migration does not become valid by being parsable later.
        try execute("UPDATE decision SET level = 'always'")
        #expect(open().loadDecisions().table.decidedApps(of: nil) == [])
    }

    /// Before, the store kept the reply of the method that would have delivered the event.
    @Test func anEarlierVersionKeepsItsEvents() throws {
        let place = #""timestamp":"2027-01-15T08:00:00.000Z","latitude":1.5,"longitude":-2.5,"simulated":false"#
        try makeOlder(
            "decision VALUES (1000, 'exe:/usr/bin/maps', 'always', 'full', 'permanent', NULL, 0)",
            "decision VALUES (1000, 'exe:/usr/bin/radio', 'always', 'full', 'permanent', NULL, 0)",
            #"""
            pendingEvent VALUES (1000, 'exe:/usr/bin/maps', 'MonitorSignificantChanges', '',
            '{"update":{"event":"location","location":{\#(place)}}}')
            """#,
            #"""
            pendingEvent VALUES (1000, 'exe:/usr/bin/maps', 'MonitorRegions', 'home',
            '{"event":{"identifier":"home","state":"outside","location":{\#(place)}}}')
            """#,
            #"""
            pendingEvent VALUES (1000, 'exe:/usr/bin/maps', 'MonitorVisits', '',
            '{"visit":{"latitude":1.5,"longitude":-2.5,"horizontalAccuracy":9,"arrival":"2027-01-15T08:00:00.000Z"}}')
            """#,
            "pendingEvent VALUES (1000, 'exe:/usr/bin/radio', 'MonitorVisits', '', '{')")
        for _ in 0..<2 {
            let (records, unreadable) = open().loadMonitoring()
            #expect(unreadable.count == 1)
            #expect(records.pending.map(\.kind) == [.significantChange, .region, .visit])
            func value<Event: MonitoredEvent>(_ index: Int, _: Event.Type) throws -> Event {
                try JSONValue(parsing: records.pending[index].json).decoded()
            }
            #expect(try value(0, Location.self).longitude == -2.5)
            #expect(try value(1, RegionEvent.self).location?.latitude == 1.5)
            #expect(try value(2, Visit.self).horizontalAccuracy == 9)
        }
    }

    /// Attack, or accident: if the mark of a completed migration is damaged, another migration would make other
    /// damage valid.
    @Test(arguments: [
        "DELETE FROM grdb_migrations WHERE identifier = 'checksums'", "DELETE FROM grdb_migrations",
        "DELETE FROM grdb_migrations WHERE identifier = 'checksums'; ALTER TABLE decision RENAME COLUMN checksum TO checksun",
        """
        DELETE FROM grdb_migrations WHERE identifier = 'checksums'; ALTER TABLE decision RENAME COLUMN checksum TO checksun;
        ALTER TABLE servicesOff RENAME COLUMN checksum TO checksun
        """, "DROP TABLE grdb_migrations",
    ])
    func aDamagedMarkDoesNotRepeatTheMigration(_ damage: String) throws {
        try makeOlder("decision VALUES (1000, 'exe:/usr/bin/maps', 'whenInUse', 'reduced', 'permanent', NULL, 0)")
        #expect(open().loadDecisions().table.decidedApps(of: nil) == [maps])
        try execute("UPDATE decision SET level = 'always', accuracy = 'full'; \(damage)")
        let store = open()
        #expect(store.notices.first?.contains("set aside as \(path).damaged-then") == true, "\(store.notices)")
        #expect(store.loadDecisions().table.decidedApps(of: nil) == [])
    }

    @Test func aMarkThatReadsOtherwise() throws {
        try makeOlder("decision VALUES (1000, 'exe:/usr/bin/maps', 'whenInUse', 'reduced', 'permanent', NULL, 0)")
        _ = open()
        try execute(
            """
            UPDATE decision SET level = 'always';
            UPDATE grdb_migrations SET identifier = 'checksumt' WHERE identifier = 'checksums'
            """)
        let store = open()
        #expect(store.notices.first?.contains("newer version") == true, "\(store.notices)")
        #expect(store.loadDecisions().table.decidedApps(of: nil) == [])
    }
}
