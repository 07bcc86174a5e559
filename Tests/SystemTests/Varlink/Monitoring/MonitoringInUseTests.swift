import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Significant changes, visits and regions of an app that may have the location only while it is in use.
@Suite(.timeLimit(.minutes(15))) struct MonitoringInUseTests {
    private func stream<M: DaemonMethod>(_ method: M.Type, _ parameters: M.Parameters, of daemon: TestDaemon)
        async throws
        -> VarlinkStream<M.Reply>.Iterator
    {
        let client = try await daemon.connect(to: M.Interface.self)
        return try client.stream(M.qualifiedName, parameters, of: M.Reply.self).makeAsyncIterator()
    }

    @Test func bothAreReportedWhileTheAppIsInUse() async throws {
        let journey = try await Journey()
        let daemon = journey.daemon
        let app = try await daemon.ownApp()
        try await daemon.grantSelf()
        var changes = try await stream(MonitorSignificantChanges.self, .init(), of: daemon)
        var visits = try await stream(MonitorVisits.self, .init(), of: daemon)
        try await journey.go(at: 0, until: "the arrival") {
            try await journey.streams(of: app)[MonitorVisits.name] == 1
        }
        let first = try #require(try await changes.next()?.update?.location)
        let arrival = try #require(try await visits.next()?.visit)
        #expect(arrival.departure == nil)
        try await journey.go(at: 20, until: "the departure and a move") {
            let streams = try await journey.streams(of: app)
            return streams[MonitorVisits.name] == 2 && streams[MonitorSignificantChanges.name] ?? 0 > 1
        }
        let departure = try #require(try await visits.next()?.visit)
        #expect(departure.arrival == arrival.arrival)
        #expect(departure.departure != nil)
        let second = try #require(try await changes.next()?.update?.location)
        #expect(second.distance(to: first) >= 500)
        #expect(try await journey.deliveries(to: app, inBackground: true) == 0)
        // A visit that was only reported while the app was in use is not recorded.
        #expect(try await daemon.call(ListPlaces.self, UserScope()).places.isEmpty)
    }

    /// Attack: an app that may have the location while it is in use leaves streams and wake sockets behind, goes to the
    /// background, and collects where the device was meanwhile, there or once it is back. Another app has the visits
    /// detected all the time.
    @Test func nothingIsCollectedInTheBackground() async throws {
        let folder = try TemporaryFolder()
        let wake = try WakeSocket(in: folder)
        let journey = try await Journey()
        let daemon = journey.daemon
        let app = try await daemon.ownApp()
        try await daemon.grantSelf()
        let diary = try daemon.startCtl("watch", "--visits", "--json")
        let declaration = try await daemon.connect(to: LocationInterface.self)
        func setInBackground(_ background: Bool) async throws {
            _ = try await declaration.call(
                SetBackground.qualifiedName, SetBackground.Parameters(background: background), returning: Nothing.self)
        }
        try await setInBackground(true)
        let home = CircularRegion(
            identifier: "home", latitude: Track.latitude(north: 0), longitude: 8.75, radius: 200)
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: home, wake: wake.path))
        var changes = try await stream(MonitorSignificantChanges.self, .init(wake: wake.path), of: daemon)
        var visits = try await stream(MonitorVisits.self, .init(wake: wake.path), of: daemon)
        var regions = try await stream(MonitorRegions.self, Nothing(), of: daemon)
        try await eventually("the streams") { try await journey.streams(of: app).count == 3 }
        _ = try await journey.go(400, at: 20)
        try await journey.go(at: 0, until: "another app's visit") { !diary.lines.isEmpty }
        let moment = try await journey.go(20, at: 0)
        // The state of the region is not known: that is all.
        #expect(
            try await journey.streams(of: app) == [
                MonitorSignificantChanges.name: 0, MonitorVisits.name: 0, MonitorRegions.name: 1,
            ])
        #expect(try await regions.next()?.event == RegionEvent(identifier: "home", state: .unknown))
        #expect(try await journey.deliveries(to: app, inBackground: true) == 0)
        #expect(try await journey.deliveries(to: app, inBackground: false) == 0)

        try await setInBackground(false)
        try await journey.go(at: 0, until: "a visit in use") {
            try await journey.streams(of: app)[MonitorVisits.name] == 1
        }
        let change = try #require(try await changes.next()?.update?.location)
        #expect(change.timestamp > moment)
        let visit = try #require(try await visits.next()?.visit)
        #expect(visit.arrival > moment)
        #expect(visit.departure == nil)
        // No crossing: where the device is, is known for the first time.
        #expect(try await regions.next()?.event == RegionEvent(identifier: "home", state: .outside))
        #expect(try await journey.deliveries(to: app, inBackground: true) == 0)
        #expect(!wake.isWoken)
    }

    /// A line that was written to the wake socket.
    private struct Wake: Decodable {
        var method: String
        var parameters: MonitorSignificantChanges.Reply
    }

    @Test func anAppIsStartedOnlyWhileItMayHaveTheLocationAlways() async throws {
        let folder = try TemporaryFolder()
        let wake = try WakeSocket(in: folder)
        let journey = try await Journey()
        let daemon = journey.daemon
        let app = try await daemon.ownApp()
        try await daemon.grantSelf()
        func begin() async throws {
            var changes = try await stream(MonitorSignificantChanges.self, .init(wake: wake.path), of: daemon)
            try await journey.go(at: 20, until: "a location") {
                try await journey.streams(of: app)[MonitorSignificantChanges.name] ?? 0 > 0
            }
            #expect(try await changes.next()?.update?.location != nil)
        }
        try await begin()
        try await eventually("the stream to be closed") { try await journey.streams(of: app).isEmpty }
        for _ in 0..<2 {
            let moment = try await journey.go(400, at: 20)
            _ = try await daemon.call(Grant.self, .init(app: app, level: .always))
            // At one place, so that there is only one event.
            try await journey.go(at: 0, until: "a wake") { wake.isWoken }
            // An event from before would have been written first.
            let event = try JSONDecoder().decode(Wake.self, from: Data(try await wake.line().utf8))
            #expect(event.method == MonitorSignificantChanges.qualifiedName)
            #expect(try #require(event.parameters.update?.location).timestamp > moment)
            try await daemon.grantSelf()
        }
    }

    /// Attack: the power is cut when the end of `always` is on the disk, and the events that were kept under it have
    /// not been removed yet. The app comes to collect them.
    @Test func whatAPowerCutLeftBehindIsForgotten() async throws {
        let daemon = try await TestDaemon(receivers: [])
        try await daemon.grantSelf()
        let app = try await daemon.ownApp()
        let home = CircularRegion(identifier: "home", latitude: 1.25, longitude: 8.75, radius: 200)
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: home))
        try await daemon.kill()
        let edit = try await Program.run(
            "/usr/bin/python3",
            [
                "-c",
                Program.script("Database/events_after_a_power_cut"), daemon.state + "/locationd.db", "\(getuid())", app,
            ])
        #expect(edit.status == 0, "\(edit.errors)")
        try await daemon.start()
        let changes = try await stream(MonitorSignificantChanges.self, .init(), of: daemon)
        let visits = try await stream(MonitorVisits.self, .init(), of: daemon)
        var regions = try await stream(MonitorRegions.self, Nothing(), of: daemon)
        #expect(try await regions.next()?.event == RegionEvent(identifier: "home", state: .unknown))
        var delivered: [String: Int] = [:]
        try await eventually("the streams") {
            let sessions = try await daemon.call(ListSessions.self, UserScope()).sessions.filter { $0.pid != nil }
            delivered = Dictionary(sessions.map { ($0.method, $0.delivered ?? 0) }, uniquingKeysWith: +)
            return delivered.count == 3
        }
        #expect(
            delivered == [MonitorSignificantChanges.name: 0, MonitorVisits.name: 0, MonitorRegions.name: 1])
        #expect(try await daemon.call(GetAccessLog.self, UserScope()).entries.isEmpty)
        withExtendedLifetime((changes, visits)) {}
    }
}
