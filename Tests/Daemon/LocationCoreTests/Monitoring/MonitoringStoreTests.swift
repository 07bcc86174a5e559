import AuthorizationPolicy
import Foundation
import GRDB
import LocationModel
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LocationCore

/// The monitoring state on disk, with the real SQLite.
@Suite struct MonitoringStoreTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let temporary: TemporaryFolder
    private var path: String { temporary.path + "/locationd.db" }
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    private let other = AppKey(uid: .max, app: AppIdentity("exe:/usr/bin/other")!)
    private let then = Timestamp(millisecondsSince1970: 1_800_000_000_123)

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// Opens the file again.
    private func open() -> Store { Store(path: path, timestamp: "then") }

    private func write(_ changes: MonitoringChange..., to store: Store? = nil) async throws {
        let store = store ?? open()
        for change in changes { try await store.write(change, on: loop).get() }
    }

    private func records() -> MonitoringRecords {
        let store = open()
        let (records, unreadable) = store.loadMonitoring()
        #expect(unreadable == [])
        #expect(store.notices == [])
        return records
    }

    // MARK: Values with all optional fields set, or with none

    private var location: Location {
        var location = Location(timestamp: then, latitude: 48.858_370_1, longitude: -2.294_481, simulated: true)
        location.horizontalAccuracy = 4.1
        location.altitude = 35
        location.ellipsoidalAltitude = 79.25
        location.verticalAccuracy = 6.3
        location.course = 359.9
        location.courseAccuracy = 2.5
        location.speed = 0
        location.speedAccuracy = 0.3
        location.receiver = "deck \"2\""
        return location
    }

    private func monitoring(_ app: AppKey, _ kind: MonitoringKind) -> MonitoringRecord {
        MonitoringRecord(app: app, kind: kind, wake: "/run/user/1000/maps", since: then, lastDelivered: location)
    }

    private func region(_ app: AppKey, _ identifier: String, wake: String? = nil) -> RegionRecord {
        var region = CircularRegion(
            identifier: identifier, latitude: -33.856_784, longitude: 151.215_297, radius: 150.5)
        region.notifyOnEntry = false
        region.notifyOnExit = true
        return RegionRecord(app: app, region: .circle(region), wake: wake, since: then, state: .inside)
    }

    private func pending(_ app: AppKey, _ kind: EventKind, _ subject: String, _ value: Int) -> PendingEvent {
        PendingEvent(app: app, kind: kind, subject: subject, json: "{\"n\":\(value)}")
    }

    private func visit(_ uid: UInt32, seconds: Int64, departure: Int64? = nil) -> VisitRecord {
        var visit = Visit(
            latitude: 12.345_678_9, longitude: -98.765_432_1, horizontalAccuracy: 47.5,
            arrival: Timestamp(millisecondsSince1970: then.millisecondsSince1970 + seconds * 1000))
        visit.departure = departure.map {
            Timestamp(millisecondsSince1970: then.millisecondsSince1970 + $0 * 1000)
        }
        return VisitRecord(uid: uid, visit: visit)
    }

    // MARK: Round trips

    @Test func monitorings() async throws {
        let bare = MonitoringRecord(app: other, kind: .significantChanges, wake: nil, since: then, lastDelivered: nil)
        let all = MonitoringKind.allCases.map { monitoring(maps, $0) }
        for record in all + [bare] { try await write(.put(record)) }
        #expect(records() == MonitoringRecords(monitorings: all + [bare]))

        var replaced = all[0]
        replaced.wake = nil
        replaced.since.millisecondsSince1970 += 1
        replaced.lastDelivered?.latitude = 1
        try await write(.put(replaced))
        #expect(records().monitorings == [replaced, all[1], bare])

        try await write(.remove(maps, .visits), .remove(other, .visits))
        #expect(records().monitorings == [replaced, bare])
    }

    @Test func regions() async throws {
        var second = region(maps, "b", wake: "/run/user/1000/b")
        second.changeCircle { ($0.notifyOnEntry, $0.notifyOnExit) = (nil, nil) }
        second.state = .unknown
        let (first, others) = (region(maps, ""), region(other, "b"))
        try await write(.putRegion(second), .putRegion(first), .putRegion(others))
        #expect(records() == MonitoringRecords(regions: [first, second, others]))

        second.changeCircle { ($0.radius, $0.longitude) = (1, 180) }
        second.state = .outside
        second.wake = nil
        try await write(.putRegion(second))
        #expect(records().regions == [first, second, others])

        try await write(.removeRegion(maps, identifier: "b"), .removeRegion(maps, identifier: "c"))
        #expect(records().regions == [first, others])
    }

    /// They share the identifiers with circles.
    @Test func regionsOfBeacons() async throws {
        var all = beacons("a", BeaconConstraint(uuid: "e2c56db5-dffb-48d2-b060-d0f5a71096e0"))
        let one = beacons("b", BeaconConstraint(uuid: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", major: 0, minor: 65_535))
        try await write(.putRegion(region(maps, "a")), .putRegion(one), .putRegion(all))
        #expect(records().regions == [all, one])
        all.region = region(maps, "a").region
        try await write(.putRegion(all))
        #expect(records().regions == [all, one])
        try await write(.removeRegion(maps, identifier: "b"))
        #expect(records().regions == [all])
        // A damaged row is no region.
        for damage in ["uuid = 'x'", "major = 65536", "major = NULL"] {
            try await write(.putRegion(one))
            try Store.behindItsBack(path) { try $0.execute(sql: "UPDATE region SET \(damage) WHERE identifier = 'b'") }
            let (records, unreadable) = open().loadMonitoring()
            #expect(records.regions == [all] && unreadable.count == 1, "\(damage)")
        }
    }

    private func beacons(_ identifier: String, _ constraint: BeaconConstraint) -> RegionRecord {
        var region = BeaconRegion(identifier: identifier, constraint: constraint)
        region.notifyOnExit = false
        return RegionRecord(app: maps, region: .beacons(region), wake: "/wake", since: then, state: .inside)
    }

    /// Attack, or accident: two regions of an app have identifiers that differ in bytes only. If they replaced each
    /// other on the disk, one of them would be lost over a restart.
    @Test func canonicallyEquivalentIdentifiersAreTwoRegions() async throws {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        try #require(composed == decomposed)
        let regions = [region(maps, decomposed, wake: "/new"), region(maps, composed)]
        try await write(.putRegion(regions[1]), .putRegion(regions[0]))
        #expect(
            records().regions.map { Array($0.region.identifier.utf8) } == [
                Array(decomposed.utf8), Array(composed.utf8),
            ])
        #expect(records().regions == regions)
        try await write(.removeRegion(maps, identifier: composed))
        #expect(records().regions == [regions[0]])

        let events = [pending(maps, .region, composed, 1), pending(maps, .region, decomposed, 2)]
        try await write(.putPending(events[0]), .putPending(events[1]))
        #expect(records().pending == events)
    }

    /// SQLite would cut the text off at the NUL, and then one region would replace another.
    @Test func aNULIsRefused() async throws {
        try await write(.putRegion(region(maps, "a")))
        await #expect(throws: Store.Failure.self) { try await write(.putRegion(region(maps, "a\0b"))) }
        await #expect(throws: Store.Failure.self) { try await write(.putRegion(region(maps, "a", wake: "/\0"))) }
        try await write(.removeRegion(maps, identifier: "a\0b"))
        #expect(records().regions == [region(maps, "a")])
    }

    @Test func pendingEvents() async throws {
        let regions = EventKind.region
        try await write(
            .putPending(pending(maps, regions, "z", 1)), .putPending(pending(maps, regions, "a", 2)),
            .putPending(pending(maps, .visit, "", 3)), .putPending(pending(other, regions, "a", 4)))
        // The newest event of a subject replaces the older one and moves to the end.
        try await write(.putPending(pending(maps, regions, "z", 5)))
        let expected = [
            pending(maps, regions, "a", 2), pending(maps, .visit, "", 3), pending(other, regions, "a", 4),
            pending(maps, regions, "z", 5),
        ]
        #expect(records() == MonitoringRecords(pending: expected))

        try await write(.removePendingEvent(maps, regions, subject: "a"))
        #expect(records().pending == [expected[1], expected[2], expected[3]])
        try await write(.removePendingEvents(maps))
        #expect(records().pending == [expected[2]])
    }

    /// A kind that is renamed loses the events that are stored.
    @Test func theNamesOfKindsInTheDatabase() async throws {
        let names: [(kind: EventKind, name: String)] = [
            (.significantChange, "significantChange"), (.region, "region"), (.visit, "visit"), (.heading, "heading"),
            (.ranging, "ranging"),
        ]
        #expect(names.map(\.kind) == EventKind.allCases)
        for (kind, name) in names {
            let event = pending(maps, kind, "a", 1)
            try await write(.putPending(event))
            let stored = try Store.behindItsBack(path) {
                try String.fetchAll($0, sql: "SELECT kind FROM pendingEvent")
            }
            #expect(stored == [name])
            #expect(records().pending == [event])
            try await write(.removePendingEvent(maps, kind, subject: "a"))
        }
    }

    @Test func visits() async throws {
        let all = [visit(1000, seconds: 0, departure: 900), visit(1000, seconds: 3600), visit(1001, seconds: 0)]
        for record in all.reversed() { try await write(.putVisit(record)) }
        #expect(records() == MonitoringRecords(visits: all))

        try await write(.putVisit(visit(1000, seconds: 3600, departure: 7200)))
        #expect(records().visits == [all[0], visit(1000, seconds: 3600, departure: 7200), all[2]])

        try await write(.clearVisitsBefore(visit(0, seconds: 3600).visit.arrival))
        #expect(records().visits == [visit(1000, seconds: 3600, departure: 7200)])
        try await write(.putVisit(all[2]), .clearVisits(uid: 1000))
        #expect(records().visits == [all[2]])
    }

    /// Whoever gets the disk must not find visits that a user has cleared, neither in the database nor in its
    /// journal.
    @Test func clearedVisitsAreGoneFromTheFiles() async throws {
        let store = open()
        let latitude = withUnsafeBytes(of: visit(1000, seconds: 0).visit.latitude.bitPattern.bigEndian) { Data($0) }
        func isOnDisk() throws -> Bool {
            try ["", "-wal"].contains { part in
                try FileManager.default.fileExists(atPath: path + part)
                    && Data(contentsOf: URL(filePath: path + part)).range(of: latitude) != nil
            }
        }
        for seconds in 0..<100 { try await write(.putVisit(visit(1000, seconds: Int64(seconds))), to: store) }
        #expect(try isOnDisk())
        try await write(.clearVisits(uid: 1000), to: store)
        #expect(try !isOnDisk())
    }

    @Test func writesKeepTheirOrder() async throws {
        let store = open()
        var last: EventLoopFuture<Void>?
        for value in 0..<200 {
            _ = store.write(.putPending(pending(maps, .visit, "", value)), on: loop)
            last = store.write(.putRegion(region(maps, "\(value % 7)")), on: loop)
        }
        try await last?.get()
        #expect(store.loadMonitoring().records.pending == [pending(maps, .visit, "", 199)])
        #expect(store.loadMonitoring().records.regions.count == 7)
    }

    // MARK: Other databases

    @Test(arguments: [
        "UPDATE monitoring SET uid = -1", "UPDATE monitoring SET uid = 4294967296",
        "UPDATE monitoring SET app = 'nonsense'", "UPDATE monitoring SET kind = 'steps'",
        "UPDATE monitoring SET lastDelivered = '{\"latitude\":48.85'",
        "UPDATE monitoring SET lastDelivered = replace(lastDelivered, '48.8', '148.8')",
        "UPDATE region SET app = ''", "UPDATE region SET latitude = 90.1", "UPDATE region SET longitude = -180.1",
        "UPDATE region SET radius = 0", "UPDATE region SET radius = 9e999", "UPDATE region SET notifyOnEntry = 2",
        "UPDATE region SET notifyOnExit = -1", "UPDATE region SET state = 'near'",
        "UPDATE region SET identifier = printf('%.*c', 257, 'x')",
        "UPDATE pendingEvent SET kind = ''", "UPDATE pendingEvent SET parameters = '[48.85]'",
        "UPDATE pendingEvent SET parameters = '{'", "UPDATE pendingEvent SET uid = 4294967296",
        "UPDATE visit SET uid = -7", "UPDATE visit SET latitude = -90.5", "UPDATE visit SET longitude = 9e999",
        "UPDATE visit SET horizontalAccuracy = -1", "UPDATE visit SET departure = arrival - 1",
    ])
    func whatMakesNoSenseIsLeftOut(sql: String) async throws {
        try await write(
            .put(monitoring(maps, .visits)), .putRegion(region(maps, "48.85 12.34")),
            .putPending(pending(maps, .region, "48.85 12.34", 1)), .putVisit(visit(1000, seconds: 0)))
        let whole = records()
        // The last store may be closing the file just now, on its own thread.
        try Store.behindItsBack(path) { try $0.execute(sql: sql) }
        let (records, unreadable) = open().loadMonitoring()
        let table = try #require(sql.split(separator: " ").dropFirst().first)
        #expect(unreadable.count == 1)
        #expect(unreadable.allSatisfy { $0.hasPrefix("\(table) of ") && !$0.contains("48.8") && !$0.contains("12.3") })
        var expected = whole
        switch table {
        case "monitoring": expected.monitorings = []
        case "region": expected.regions = []
        case "pendingEvent": expected.pending = []
        default: expected.visits = []
        }
        #expect(records == expected)
    }

    /// Another program may be copying the file or reading it. The store waits and does not take the database for
    /// damaged.
    @Test func aDatabaseThatIsInUseIsWaitedFor() throws {
        let queue = try Store.openSound(path)
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") } == 5000)
    }

    @Test func aMissingTableIsReported() throws {
        _ = open()
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: "DROP TABLE visit") }
        try queue.close()
        let (records, unreadable) = open().loadMonitoring()
        #expect(records == MonitoringRecords())
        #expect(unreadable.count == 1 && unreadable[0].hasPrefix("everything that is monitored:"))
    }

    @Test func anUnavailableDatabaseHoldsNothing() async throws {
        let store = Store(path: temporary.path + "/missing/locationd.db", timestamp: "then")
        #expect(store.loadMonitoring() == (MonitoringRecords(), []))
        for change in [
            MonitoringChange.put(monitoring(maps, .visits)), .putRegion(region(maps, "a")), .clearVisits(uid: 1000),
        ] {
            await #expect(throws: Store.Failure.self) { try await write(change, to: store) }
        }
    }

    /// An invalid coordinate cannot be written. The failure goes to the log, so it must not contain the other
    /// coordinates.
    @Test func aFailureDoesNotRevealThePlace() async throws {
        var record = visit(1000, seconds: 0)
        record.visit.longitude = .nan
        let failure = await #expect(throws: Store.Failure.self) { try await write(.putVisit(record)) }
        #expect(failure.map { !"\($0)".contains("12.3") } == true)
    }
}
