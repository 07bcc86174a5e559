import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The bytes in the state folder of the real daemon after a grant has ended or a user has cleared the stored data: only
/// those in the table "What is kept" in docs/threat-model.md.
///
/// Attack: a thief gets the disk, or a backup of it.
@Suite(.timeLimit(.minutes(15))) struct KeptBytesTests {
    /// Stored data that reveal where the machine was, or an app's registrations.
    private enum Trace: CaseIterable {
        case place, cell, regionName, regionPlace, wake
    }

    /// A daemon with a stationary device and everything on its disk that it keeps for an app with full accuracy, which
    /// is this process, and for an app with reduced accuracy, which is locationctl.
    private struct Scene {
        let daemon: TestDaemon
        let full: String
        let reduced: String
        /// A connection of the app with full accuracy, without which its grant for "once" would end.
        let connection: VarlinkClient
        /// The bytes of each trace, in each form that they may have on the disk.
        let forms: [Trace: [Data]]
        private let wake: WakeSocket

        static func make(lifetime: GrantLifetime? = nil) async throws -> Scene {
            let folder = try TemporaryFolder()
            var track = Track()
            // Off the round coordinates of the tracks' beginnings.
            for _ in 0..<36_000 { track.add(speed: 0, east: 4321.9, north: 2345.6) }
            let daemon = try await TestDaemon(
                receivers: ["replay:\(try track.write(to: folder, as: "still.nmea"))@100"], folder: folder)
            let connection = try await daemon.connect(to: LocationInterface.self)
            _ = try await connection.call(
                GetAuthorization.qualifiedName, Nothing(), returning: GetAuthorization.Reply.self)
            let full = try await daemon.ownApp()
            let wake = try WakeSocket(in: folder)
            _ = try await daemon.call(Grant.self, .init(app: full, level: .always, lifetime: lifetime))
            let location = try await register(wake, daemon)

            let reduced = try await daemon.ctlApp()
            let watch = try daemon.startCtl("watch", "--json", "--no-pauses")
            try await eventually("the request: \(watch.errors)") {
                try await app(reduced, daemon)?.reason != nil
            }
            _ = try await daemon.call(
                Grant.self, .init(app: reduced, level: .whenInUse, lifetime: lifetime, accuracy: .reduced))
            try await eventually("a cell: \(watch.errors)") { !watch.lines.isEmpty }
            var kept: KeptPlaces?
            try await eventually("everything on the disk") {
                kept = try await KeptPlaces(daemon)
                return kept?.cell != nil && kept?.visits.isEmpty == false && kept?.lastPlaces == 1
            }
            let places = try #require(kept)
            let scene = Scene(
                daemon: daemon, full: full, reduced: reduced, connection: connection,
                forms: try forms(of: places, location, wake), wake: wake)
            #expect(try scene.traces() == Trace.allCases)
            watch.signal(SIGTERM)
            _ = try await watch.end()
            try await eventually("the end of the connections") {
                try await app(reduced, daemon)?.connections ?? 0 == 0
            }
            return scene
        }

        /// Registers a region, significant changes and visits. Returns the place of the device.
        private static func register(_ wake: WakeSocket, _ daemon: TestDaemon) async throws -> Location {
            let region = CircularRegion(
                identifier: "my-secret-home", latitude: 12.345_678_9, longitude: 3, radius: 100)
            _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region, wake: wake.path))
            let waking = WakeParameters(wake: wake.path)
            var visits = try await daemon.connect(to: LocationInterface.self).stream(
                MonitorVisits.qualifiedName, waking, of: MonitorVisits.Reply.self
            ).makeAsyncIterator()
            var changes = try await daemon.connect(to: LocationInterface.self).stream(
                MonitorSignificantChanges.qualifiedName, waking, of: Subscribe.Reply.self
            ).makeAsyncIterator()
            while let visit = try await visits.next(), visit.visit == nil {}
            while let change = try await changes.next() {
                if let location = change.update?.location { return location }
            }
            throw Overdue(what: "a significant change")
        }

        private static func app(_ name: String, _ daemon: TestDaemon) async throws -> AppSummary? {
            try await daemon.list(ListApps.self, UserScope()).apps.first { $0.app == name }
        }

        private static func forms(
            of places: KeptPlaces, _ location: Location, _ wake: WakeSocket
        ) throws -> [Trace: [Data]] {
            func stored(_ degrees: Double) -> Data {
                withUnsafeBytes(of: degrees.bitPattern.bigEndian) { Data($0) }
            }
            func text(_ text: some StringProtocol) -> Data { Data(text.utf8) }
            let cell = try #require(places.cell)
            let coordinates = [location.latitude, location.longitude]
            // Visits are at the mean of many fixes.
            let numbers = (places.visits + [coordinates]).flatMap(\.self)
            return [
                .place: coordinates.map { text("\($0)".prefix(7)) } + numbers.map(stored),
                .cell: [text("\"row\":\(cell.row),"), text("\"column\":\(cell.column),")],
                .regionName: [text("my-secret-home")], .regionPlace: [stored(12.345_678_9)], .wake: [text(wake.path)],
            ]
        }

        /// Returns the traces that are in any file of the state folder.
        func traces() throws -> [Trace] {
            let files = try FileManager.default.contentsOfDirectory(atPath: daemon.state)
            let contents = try files.map { try Data(contentsOf: URL(filePath: "\(daemon.state)/\($0)")) }
            return Trace.allCases.filter { trace in
                contents.contains { content in (forms[trace] ?? []).contains { content.range(of: $0) != nil } }
            }
        }
    }

    /// The places in the database.
    private struct KeptPlaces: Decodable {
        struct Cell: Decodable {
            var row: Int
            var column: Int
        }

        /// The last cell of reduced accuracy.
        var cell: Cell?
        /// The latitude and the longitude of each visit.
        var visits: [[Double]]
        /// The number of apps whose last significant place is kept.
        var lastPlaces: Int

        init(_ daemon: TestDaemon) async throws {
            let result = try await Program.run(
                "/usr/bin/python3", ["-c", Program.script("Database/kept_places"), daemon.state + "/locationd.db"])
            guard result.status == 0 else { throw Overdue(what: "the places in the database: \(result.errors)") }
            self = try JSONDecoder().decode(Self.self, from: Data(result.output.utf8))
        }
    }

    @Test(arguments: ["revoke", "reset"]) func whatWasKeptUnderAGrantEndsWithIt(command: String) async throws {
        let scene = try await Scene.make()
        #expect(try await scene.daemon.ctl(command, scene.full).status == 0)
        // The other app still has reduced accuracy.
        #expect(try scene.traces() == [.cell])
        #expect(try await scene.daemon.ctl(command, scene.reduced).status == 0)
        #expect(try scene.traces() == [])
        try await scene.daemon.kill()
        try await scene.daemon.start()
        #expect(try scene.traces() == [])
    }

    @Test func whatWasKeptUnderAGrantForOnceEndsWithIt() async throws {
        let scene = try await Scene.make(lifetime: .once)
        scene.connection.close()
        try await eventually("the end of everything") { try scene.traces().isEmpty }
    }

    @Test func theCellEndsWhenTheLastReducedGrantBecomesFull() async throws {
        let scene = try await Scene.make()
        _ = try await scene.daemon.call(
            Grant.self, .init(app: scene.reduced, level: .whenInUse, accuracy: .full))
        try await eventually("the end of the cell") { try !scene.traces().contains(.cell) }
        #expect(try scene.traces() == [.place, .regionName, .regionPlace, .wake])
    }

    /// An app's registrations show where its user wants notifications, not where the machine was.
    @Test func aUserClearsThePlaces() async throws {
        let scene = try await Scene.make()
        _ = try await scene.daemon.call(ClearPlaces.self, .init())
        #expect(try scene.traces() == [.regionName, .regionPlace, .wake])
        let regions = try await scene.daemon.call(ListRegions.self, Nothing()).regions
        #expect(regions.map(\.identifier) == ["my-secret-home"])
    }

    /// The visits belong to the user.
    @Test func aUserClearsAnApp() async throws {
        let scene = try await Scene.make()
        _ = try await scene.daemon.call(ClearPlaces.self, .init(app: scene.full))
        #expect(try scene.traces() == [.place, .cell])
    }

    /// Attack: a user has the cell forgotten again and again, and another user's apps get no location.
    @Test func aUserDoesNotForgetTheCellForAnother() async throws {
        let scene = try await Scene.make()
        let (weather, other) = ("exe:/usr/bin/weather", Int(getuid()) + 1)
        _ = try await scene.daemon.call(
            Grant.self, .init(app: weather, uid: other, level: .whenInUse, accuracy: .reduced))
        _ = try await scene.daemon.call(ClearPlaces.self, .init())
        #expect(try scene.traces() == [.cell, .regionName, .regionPlace, .wake])
        _ = try await scene.daemon.call(Revoke.self, .init(app: weather, uid: other))
        _ = try await scene.daemon.call(ClearPlaces.self, .init())
        #expect(try scene.traces() == [.regionName, .regionPlace, .wake])
    }
}
