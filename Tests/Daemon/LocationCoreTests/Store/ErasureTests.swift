import AuthorizationPolicy
import Foundation
import GRDB
import LocationModel
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import LocationCore
@testable import Positioning

/// What stays in the files after something was erased: nothing of it, in the database and in its journal, at once.
///
/// Attack: a thief gets the disk, or a backup of it.
@Suite struct ErasureTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let folder: TemporaryFolder
    private let store: Store
    private let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)
    private let other = AppKey(uid: 1000, app: AppIdentity("exe:/usr/bin/other")!)
    private let then = Timestamp(millisecondsSince1970: 1_800_000_000_123)
    /// So many that their pages are split and merged again.
    private let regionCount = 150

    init() throws {
        folder = try TemporaryFolder()
        store = Store(path: folder.path + "/locationd.db", timestamp: "then")
    }

    /// The traces of something, each in every form in which it may be on the disk.
    private enum Trace: String, CaseIterable {
        case regionName = "region-of-maps", regionPlace = "-33.856784", regionWake = "/wake-of-regions"
        case changesWake = "/wake-of-changes", lastPlace = "48.8583701", eventPlace = "37.7749295"
        case visitPlace = "12.3456789"

        var forms: [Data] {
            let text = Data(rawValue.utf8)
            guard let degrees = Double(rawValue) else { return [text] }
            return [text, withUnsafeBytes(of: degrees.bitPattern.bigEndian) { Data($0) }]
        }
    }

    /// The traces that are in the files of the folder.
    private func traces() throws -> Set<Trace> {
        let contents = try contents()
        return Set(
            Trace.allCases.filter { trace in
                contents.contains { content in trace.forms.contains { content.range(of: $0) != nil } }
            })
    }

    /// The contents of the files of the folder: the database, its journal and the index of that.
    private func contents() throws -> [Data] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
            try Data(contentsOf: URL(filePath: "\(folder.path)/\($0)"))
        }
    }

    private func write(_ changes: [MonitoringChange]) async throws {
        #expect(try await store.write(changes, on: loop).get().allSatisfy { $0 == nil })
    }

    private var changes: MonitoringRecord {
        var location = Location(timestamp: then, latitude: 48.858_370_1, longitude: 2.25, simulated: false)
        location.horizontalAccuracy = 5
        return MonitoringRecord(
            app: maps, kind: .significantChanges, wake: "/wake-of-changes", since: then, lastDelivered: location)
    }

    private func region(_ number: Int, of app: AppKey) -> RegionRecord {
        let isMaps = app == maps
        let region = CircularRegion(
            identifier: "region-of-\(isMaps ? "maps" : "other")-\(number)", latitude: isMaps ? -33.856_784 : 1.5,
            longitude: 3, radius: 100)
        return RegionRecord(
            app: app, region: .circle(region), wake: isMaps ? "/wake-of-regions" : nil, since: then, state: .inside)
    }

    /// Writes everything that is kept for an app, beside the regions of another one, and replaces some of it.
    private func fill(otherLevel: Decision.Level = .whenInUse) async throws {
        try await store.record(Decision(level: .always), about: maps, on: loop).get()
        try await store.record(Decision(level: otherLevel), about: other, on: loop).get()
        for number in 0..<regionCount {
            try await write([.putRegion(region(number, of: maps)), .putRegion(region(number, of: other))])
        }
        let event = PendingEvent(
            app: maps, kind: .region, subject: "region-of-maps-1", json: "{\"latitude\":37.7749295}")
        let visit = Visit(latitude: 12.345_678_9, longitude: 4, horizontalAccuracy: 20, arrival: then)
        try await write([.put(changes), .putPending(event), .putVisit(VisitRecord(uid: 1000, visit: visit))])
        #expect(try traces() == Set(Trace.allCases))
    }

    private func expectTheOthers() {
        #expect(store.loadMonitoring().records.regions.count { $0.app == other } == regionCount)
    }

    @Test(arguments: [nil, Decision.denied])
    func aGrantThatEndsLeavesNothing(decision: Decision?) async throws {
        try await fill()
        try await store.record(decision, about: maps, on: loop).get()
        #expect(try traces().isEmpty)
        expectTheOthers()
        // A later grant finds nothing.
        try await store.record(Decision(level: .always), about: maps, on: loop).get()
        let records = store.loadMonitoring().records
        #expect(records.monitorings.isEmpty && records.pending.isEmpty && records.visits.isEmpty)
        #expect(!records.regions.contains { $0.app == maps })
    }

    /// Attack: the thief finds the copy that VACUUM makes of the whole database, in another folder. It would have to be
    /// a file: SQLite deletes such files, but does not overwrite them. 2 is for memory.
    @Test func copiesThatSQLiteMakesAreInMemory() throws {
        let queue = try Store.openSound(folder.path + "/copied.db")
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA temp_store") } == 2)
    }

    /// A backup reads the database meanwhile, so that the journal cannot be reset. It is counted, and made up for.
    @Test func anErasureThatFailsIsCountedAndMadeUpFor() async throws {
        let path = folder.path + "/busy.db"
        let store = Store(path: path, secret: .success(Store.testSecret), timestamp: "then", busyTimeout: 0.05)
        try await store.record(Decision(level: .always), about: maps, on: loop).get()
        try await store.write([.put(changes)], on: loop).get().forEach { #expect($0 == nil) }
        let place = Trace.lastPlace.forms
        func hasPlace() throws -> Bool {
            try contents().contains { content in place.contains { content.range(of: $0) != nil } }
        }
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        try reader.inDatabase { try $0.execute(sql: "BEGIN; SELECT * FROM sqlite_master") }
        try await store.record(nil, about: maps, on: loop).get()
        #expect(try hasPlace() && store.failures.count == 1)
        try reader.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try await store.record(Decision(level: .always), about: other, on: loop).get()
        try await store.record(nil, about: other, on: loop).get()
        #expect(try !hasPlace() && store.failures.count == 1)
    }

    /// The visits belong to the user: they stay for another app that may have the location always.
    @Test func visitsStayWithAnotherGrantOfAlways() async throws {
        try await fill(otherLevel: .always)
        try await store.record(nil, about: maps, on: loop).get()
        #expect(try traces() == [.visitPlace])
        try await store.record(nil, about: other, on: loop).get()
        #expect(try traces().isEmpty)
    }

    /// Under a provisional `always`, nothing is recorded in the background: the visits do not stay for such an app.
    @Test func visitsDoNotStayForAProvisionalGrant() async throws {
        try await fill(otherLevel: .provisionalAlways)
        try await store.record(nil, about: maps, on: loop).get()
        #expect(try traces().isEmpty)
    }

    /// The app keeps what it has registered. The visits were recorded in the background, for `always` alone.
    @Test(arguments: [Decision.Level.whenInUse, .provisionalAlways])
    func aSmallerGrantErasesTheVisitsAlone(level: Decision.Level) async throws {
        try await fill()
        try await store.record(Decision(level: level), about: maps, on: loop).get()
        #expect(try traces() == Set(Trace.allCases).subtracting([.visitPlace]))
    }

    @Test func everythingOfAnAppIsCleared() async throws {
        try await fill()
        try await write([.removeApp(maps)])
        #expect(try traces() == [.visitPlace])
        expectTheOthers()
    }

    @Test func removedRegionsLeaveNothing() async throws {
        try await fill()
        for number in 0..<regionCount {
            try await write([.removeRegion(maps, identifier: "region-of-maps-\(number)")])
        }
        try await write([.removePendingEvent(maps, .region, subject: "region-of-maps-1")])
        let left = try traces()
        #expect(left == [.changesWake, .lastPlace, .visitPlace], "\(left)")
        expectTheOthers()
    }

    @Test func aReplacedRegionLeavesNothing() async throws {
        try await fill()
        for number in 0..<regionCount {
            var record = region(number, of: maps)
            record.changeCircle { $0.latitude = 2.5 }
            (record.wake, record.state) = (nil, .unknown)
            try await write([.putRegion(record)])
        }
        #expect(try traces().isDisjoint(with: [.regionPlace, .regionWake]))
    }

    /// What is removed when an app's accuracy is reduced; that it is removed is in MonitoringPresenceTests.
    @Test func theRemovalsOfAReductionLeaveNoLocation() async throws {
        try await fill()
        var record = changes
        record.lastDelivered = nil
        try await write([.put(record), .removePendingEvents(maps)])
        #expect(try traces() == [.regionName, .regionPlace, .regionWake, .changesWake, .visitPlace])
    }

    @Test func theEndOfMonitoringLeavesNothing() async throws {
        try await fill()
        try await write([.remove(maps, .significantChanges), .clearVisits(uid: 1000), .removePendingEvents(maps)])
        #expect(try traces() == [.regionName, .regionPlace, .regionWake])
    }

    /// The cells of the quarters before the last one may be in the journal as well.
    @Test func aForgottenCellLeavesNothing() async throws {
        var reducer = AccuracyReducer(secret: Store.testSecret, state: nil)
        var cells: [[Data]] = []
        var now = then
        for quarter in 0..<4 {
            now = Timestamp(millisecondsSince1970: then.millisecondsSince1970 + Int64(quarter) * 900_000)
            let place = Location(timestamp: now, latitude: -77.846_3 + Double(quarter), longitude: 166.668_2)
            #expect(reducer.reduce(place, at: now) != nil)
            let cell = try #require(reducer.state.settled)
            cells.append([Data("\"row\":\(cell.row),".utf8), Data("\"column\":\(cell.column),".utf8)])
            try await store.write(reducer.state, on: loop).get()
        }
        func left() throws -> [[Data]] {
            let contents = try contents()
            return cells.filter { forms in
                contents.contains { content in forms.contains { content.range(of: $0) != nil } }
            }
        }
        let before = try left()
        #expect(before.last == cells.last)
        reducer.forget(at: now)
        try await store.write(reducer.state, erasing: true, on: loop).get()
        #expect(try left().isEmpty)
        #expect(store.loadReducerState() == reducer.state)
    }
}
