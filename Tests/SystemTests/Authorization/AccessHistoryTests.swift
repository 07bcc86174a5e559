import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// An app that reads locations on any possible path appears in the access log and in the indicator.
@Suite(.timeLimit(.minutes(15))) struct AccessHistoryTests {
    /// Returns a daemon with a stationary device and every grant for this app.
    private func daemon() async throws -> TestDaemon {
        let folder = try TemporaryFolder()
        var track = Track()
        track.go(20_000, at: 0)
        let file = try track.write(to: folder, as: "track.nmea")
        let daemon = try await TestDaemon(receivers: ["replay:\(file)@200"], folder: folder)
        _ = try await daemon.call(Grant.self, .init(app: try await daemon.ownApp(), level: .always))
        return daemon
    }

    private func stream<M: DaemonMethod>(_ method: M.Type, _ parameters: M.Parameters, of daemon: TestDaemon)
        async throws
        -> VarlinkStream<M.Reply>.Iterator
    {
        let client = try await daemon.connect(to: M.Interface.self)
        return try client.stream(M.qualifiedName, parameters, of: M.Reply.self).makeAsyncIterator()
    }

    /// Returns the number of deliveries in the access log.
    private func deliveries(_ daemon: TestDaemon) async throws -> Int {
        try await daemon.call(GetAccessLog.self, UserScope()).entries.reduce(0) { $0 + ($1.deliveries ?? 0) }
    }

    private func region(_ identifier: String, radius: Double) -> CircularRegion {
        CircularRegion(identifier: identifier, latitude: Track.latitude(north: 0), longitude: 8.75, radius: radius)
    }

    private func isActive(_ daemon: TestDaemon) async throws -> Bool? {
        try await daemon.call(GetIndicator.self, UserScope()).apps.first?.active
    }

    /// Attack: each new stream begins with the current location, so an app opens one after the other to read it.
    @Test func theFirstRepliesOfStreamsAreCounted() async throws {
        let daemon = try await daemon()
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region("home", radius: 200)))
        // The visit begins after 300 s. Nothing else happens after that.
        var visits = try await stream(MonitorVisits.self, .init(), of: daemon)
        _ = try await visits.next()
        var count = 1
        try await eventually("the region to be known") {
            let state = try await daemon.call(GetRegionState.self, .init(identifier: "home")).state
            if state != .unknown { count += 1 }
            return state == .inside
        }
        #expect(try await deliveries(daemon) == count)
        for _ in 0..<10 {
            var changes = try await stream(MonitorSignificantChanges.self, .init(), of: daemon)
            #expect(try await changes.next()?.update?.location != nil)
            var visits = try await stream(MonitorVisits.self, .init(), of: daemon)
            #expect(try await visits.next()?.visit != nil)
            var regions = try await stream(MonitorRegions.self, Nothing(), of: daemon)
            #expect(try await regions.next()?.event == RegionEvent(identifier: "home", state: .inside))
        }
        #expect(try await deliveries(daemon) == count + 30)
    }

    /// Attack: an app replaces a region around the device again and again, and reads the location from each event
    /// that reports the device inside.
    @Test func replacingARegionDoesNotRevealThePlace() async throws {
        let daemon = try await daemon()
        var events = try await stream(MonitorRegions.self, Nothing(), of: daemon)
        for number in 1...15 {
            let region = region("here", radius: 200 + Double(number))
            _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region))
            #expect(try await events.next()?.event == RegionEvent(identifier: "here", state: .inside))
            #expect(try await deliveries(daemon) == number)
        }
    }

    /// Attack: an app reads the state of a region of its choice, moves the region, and so closes in on the device.
    @Test func theStateOfARegionIsCounted() async throws {
        let daemon = try await daemon()
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region("here", radius: 200)))
        var known = 0
        try await eventually("the state to be known") {
            let state = try await daemon.call(GetRegionState.self, .init(identifier: "here")).state
            if state != .unknown { known += 1 }
            return known == 15
        }
        #expect(try await deliveries(daemon) == 15)
    }

    /// Attack: an app watches the device for days through a stream of events, but appears to have used the location
    /// once.
    @Test func aStreamOfEventsShowsAsActive() async throws {
        let daemon = try await daemon()
        func watch() async throws {
            var visits = try await stream(MonitorVisits.self, .init(), of: daemon)
            _ = try await visits.next()
            #expect(try await isActive(daemon) == true)
        }
        try await watch()
        try await eventually("the app not to be active") { try await isActive(daemon) == false }
        var changes = try await stream(MonitorSignificantChanges.self, .init(), of: daemon)
        _ = try await changes.next()
        #expect(try await isActive(daemon) == true)
        // A revocation ends the stream, and with it the use.
        _ = try await daemon.call(Revoke.self, AppScope(app: try await daemon.ownApp()))
        try await eventually("the app not to be active") { try await isActive(daemon) == false }
    }
}
