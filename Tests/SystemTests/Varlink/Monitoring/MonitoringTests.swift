import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Significant changes, regions and visits through the real daemon, with recordings that are replayed faster.
@Suite(.timeLimit(.minutes(15))) struct MonitoringTests {
    /// The speed of the replay, relative to the recording.
    private static let speed = 200

    private func daemon(_ folder: TemporaryFolder, _ track: Track, as name: String = "track.nmea") async throws
        -> TestDaemon
    {
        let file = try track.write(to: folder, as: name)
        return try await TestDaemon(receivers: ["replay:\(file)@\(Self.speed)"], folder: folder)
    }

    private func stream<M: DaemonMethod>(_ method: M.Type, _ parameters: M.Parameters, of daemon: TestDaemon)
        async throws
        -> VarlinkStream<M.Reply>.Iterator
    {
        let client = try await daemon.connect(to: M.Interface.self)
        return try client.stream(M.qualifiedName, parameters, of: M.Reply.self).makeAsyncIterator()
    }

    private func region(_ identifier: String, north: Double, radius: Double) -> CircularRegion {
        CircularRegion(
            identifier: identifier, latitude: Track.latitude(north: north), longitude: 8.75, radius: radius)
    }

    private func grantAlways(_ daemon: TestDaemon) async throws {
        _ = try await daemon.call(Grant.self, .init(app: try await daemon.ownApp(), level: .always))
    }

    // MARK: Regions

    @Test func eachCrossingIsReportedOnce() async throws {
        let folder = try TemporaryFolder()
        // From 1.5 km south of the region's centre to 1.5 km north of it, and back again. The daemon looks every ten
        // seconds of the recording. If it is held up, it misses that the device passes, and sees it the next time.
        var track = Track()
        for _ in 0..<25 {
            track.go(200, at: 15)
            track.go(200, at: -15)
        }
        let daemon = try await daemon(folder, track)
        try await daemon.grantSelf()
        _ = try await daemon.call(
            StartMonitoringRegion.self, .init(region: region("shop", north: 1500, radius: 400)))
        #expect(try await daemon.call(ListRegions.self, Nothing()).regions.map(\.identifier) == ["shop"])
        #expect(try await daemon.call(GetRegionState.self, .init(identifier: "shop")).state == .unknown)
        var events = try await stream(MonitorRegions.self, Nothing(), of: daemon)
        var states: [RegionState] = []
        while states.count < 4, let event = try await events.next()?.event { states.append(event.state) }
        // Where the device is when the daemon first looks depends on when that is.
        #expect(
            states == [.unknown, .outside, .inside, .outside] || states == [.unknown, .inside, .outside, .inside],
            "\(states)")
        _ = try await daemon.call(StopMonitoringRegion.self, .init(identifier: "shop"))
        #expect(try await daemon.call(ListRegions.self, Nothing()).regions.isEmpty)
    }

    @Test(arguments: [true, false])
    func aBorderCrossedWhileBothAreDownWakesTheApp(theAppCanBeStarted: Bool) async throws {
        let folder = try TemporaryFolder()
        let wake = try WakeSocket(in: folder)
        // Both recordings go on for longer than anything is held up: a recording that is over shows nothing more.
        var before = Track()
        before.go(4000, at: 0)
        var first: TestDaemon? = try await daemon(folder, before, as: "before.nmea")
        try await grantAlways(try #require(first))
        _ = try await first?.call(
            StartMonitoringRegion.self, .init(region: region("home", north: 0, radius: 200), wake: wake.path))
        try await eventually("the region to be known") {
            try await first?.call(GetRegionState.self, .init(identifier: "home")).state == .inside
        }
        // A user's changes keep their order. So when these are answered, the region's state is on the disk.
        _ = try await first?.call(StartMonitoringRegion.self, .init(region: region("other", north: 1e6, radius: 200)))
        _ = try await first?.call(StopMonitoringRegion.self, .init(identifier: "other"))
        try await first?.kill()
        first = nil
        let restart = Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))

        var after = Track()
        after.go(300, at: 20)
        after.go(4000, at: 0)
        let file = folder.path + "/hidden"
        if !theAppCanBeStarted { try FileManager.default.moveItem(atPath: wake.path, toPath: file) }
        let second = try await daemon(folder, after, as: "after.nmea")
        if theAppCanBeStarted {
            let line = try await wake.line()
            let event = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(event["method"] as? String == "io.locationd.Location.MonitorRegions")
            let told = ((event["parameters"] as? [String: Any])?["event"] as? [String: Any]) ?? [:]
            #expect(told["identifier"] as? String == "home")
            #expect(told["state"] as? String == "outside")
            // The daemon counts the event once it knows that it was written, and then no longer keeps it.
            try await eventually("the event to be delivered") {
                try await second.call(GetIndicator.self, UserScope()).apps.contains { $0.lastUse > restart }
            }
            #expect(try await second.call(GetRegionState.self, .init(identifier: "home")).state == .outside)
            // The event is not delivered again to the app that it has started.
            var events = try await stream(MonitorRegions.self, Nothing(), of: second)
            #expect(try await events.next()?.event == RegionEvent(identifier: "home", state: .outside))
        } else {
            try await eventually("the crossing") { second.log.contains("an app was not started for its event") }
            var events = try await stream(MonitorRegions.self, Nothing(), of: second)
            #expect(try await events.next()?.event == RegionEvent(identifier: "home", state: .inside))
            let missed = try await events.next()?.event
            #expect(missed?.state == .outside)
            #expect(missed?.location != nil)
        }
    }

    @Test func whatARegionNeeds() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let home = region("home", north: 0, radius: 100)
        await #expect(throws: VarlinkError.self) {
            try await daemon.call(StartMonitoringRegion.self, .init(region: home))
        }
        try await daemon.grantSelf()
        for (wrong, parameter) in [
            (region("", north: 0, radius: 100), "region.identifier"),
            (region("a", north: 0, radius: 0), "region.radius"),
            (region("a", north: 0, radius: 2e6), "region.radius"),
            (region("a", north: 9e6, radius: 100), "region.latitude"),
        ] {
            await #expect(throws: VarlinkError.invalidParameter(parameter)) {
                try await daemon.call(StartMonitoringRegion.self, .init(region: wrong))
            }
        }
        for number in 0..<20 {
            _ = try await daemon.call(
                StartMonitoringRegion.self, .init(region: region("\(number)", north: 0, radius: 100)))
        }
        await #expect(throws: VarlinkError("io.locationd.Location.TooManyRegions")) {
            try await daemon.call(StartMonitoringRegion.self, .init(region: home))
        }
        // A region with an existing identifier replaces that region.
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region("7", north: 10, radius: 50)))
        #expect(try await daemon.call(ListRegions.self, Nothing()).regions.count == 20)
        await #expect {
            try await daemon.call(
                StartMonitoringRegion.self, .init(region: region("7", north: 0, radius: 50), wake: "/etc/passwd"))
        } throws: {
            ($0 as? VarlinkError)?.name == "io.locationd.Location.WakeRefused"
        }
    }

    // MARK: Significant changes and visits

    @Test func movesOf500MetresAre300SecondsApart() async throws {
        let folder = try TemporaryFolder()
        var track = Track()
        track.go(5000, at: 10)
        let daemon = try await daemon(folder, track)
        try await grantAlways(daemon)
        var changes = try await stream(MonitorSignificantChanges.self, .init(), of: daemon)
        var locations: [Location] = []
        while locations.count < 3, let location = try await changes.next()?.update?.location {
            locations.append(location)
        }
        for (a, b) in zip(locations, locations.dropFirst()) {
            #expect(b.timestamp.seconds(since: a.timestamp) >= 300)
            #expect(b.distance(to: a) >= 500)
        }
    }

    @Test func aVisitIsReportedTwiceAndListed() async throws {
        let folder = try TemporaryFolder()
        var track = Track()
        track.go(200, at: 15)
        // Much longer than a busy machine holds up the daemon.
        track.go(2000, at: 0)
        track.go(4000, at: 15)
        let daemon = try await daemon(folder, track)
        try await grantAlways(daemon)
        var visits = try await stream(MonitorVisits.self, .init(), of: daemon)
        let arrival = try #require(try await visits.next()?.visit)
        #expect(arrival.departure == nil)
        #expect(abs(arrival.latitude - Track.latitude(north: 3000)) < 0.001)
        let departure = try #require(try await visits.next()?.visit)
        #expect(departure.arrival == arrival.arrival)
        // A daemon that is held up sees less of the stay, but never more. The place has a radius of 100 m, which takes
        // seven seconds.
        let start = try Timestamp.parsing(Sentences.timestamp(0))
        let end = try #require(departure.departure)
        let (from, to) = (arrival.arrival.seconds(since: start), end.seconds(since: start))
        #expect(from >= 192 && to <= 2208 && to - from >= 300, "\(from) to \(to) s")
        let places = try await daemon.call(ListPlaces.self, UserScope()).places
        #expect(places.map(\.visits) == [1])
        _ = try await daemon.call(ClearPlaces.self, .init())
        #expect(try await daemon.call(ListPlaces.self, UserScope()).places.isEmpty)
    }

    /// While no app monitors visits, the device may leave unnoticed.
    @Test func aVisitThatNobodyMonitorsAnyMoreIsNotTheCurrentOneLater() async throws {
        let folder = try TemporaryFolder()
        var track = Track()
        track.go(20_000, at: 0)
        let daemon = try await daemon(folder, track)
        try await grantAlways(daemon)
        func firstVisit() async throws -> Visit {
            var visits = try await stream(MonitorVisits.self, .init(), of: daemon)
            return try #require(try await visits.next()?.visit)
        }
        let first = try await firstVisit()
        try await eventually("the stream to be closed") {
            try await daemon.call(ListSessions.self, UserScope()).sessions.isEmpty
        }
        #expect(try await firstVisit().arrival > first.arrival)
    }

    @Test func aRevocationEndsWhatIsMonitored() async throws {
        let folder = try TemporaryFolder()
        var track = Track()
        track.go(20_000, at: 0)
        let daemon = try await daemon(folder, track)
        try await grantAlways(daemon)
        var visits = try await stream(MonitorVisits.self, .init(), of: daemon)
        var regions = try await stream(MonitorRegions.self, Nothing(), of: daemon)
        _ = try await daemon.call(StartMonitoringRegion.self, .init(region: region("home", north: 0, radius: 100)))
        #expect(try await regions.next()?.event?.state == .inside)
        _ = try await visits.next()
        let app = try await daemon.ownApp()
        _ = try await daemon.call(Revoke.self, AppScope(app: app))
        let denied = VarlinkError("io.locationd.Location.NotAuthorized", parameters: ["status": "denied"])
        await #expect(throws: denied) { while try await visits.next() != nil {} }
        await #expect(throws: denied) { while try await regions.next() != nil {} }
        await #expect(throws: denied) { try await daemon.call(GetRegionState.self, .init(identifier: "home")) }
        // No app may receive anything, so the receivers are closed.
        try await eventually("the receivers to be closed") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped
        }
    }

    // MARK: Pauses

    @Test func aStationaryDevicePausesAndResumes() async throws {
        let folder = try TemporaryFolder()
        var track = Track()
        track.go(60, at: 1.4)
        track.go(600, at: 0)
        track.go(6000, at: 1.4)
        let daemon = try await daemon(folder, track)
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        var paused: Location?
        var resumed: Location?
        while resumed == nil, let update = try await updates.next()?.update {
            switch update.event {
            case .paused: paused = update.location
            case .resumed: resumed = try await updates.next()?.update?.location
            default: #expect(paused == nil, "nothing comes between")
            }
        }
        let pause = try #require(paused).timestamp.seconds(since: try Timestamp.parsing(Sentences.timestamp(60)))
        #expect((180...240).contains(pause), "\(pause) s")
        let departure = try #require(resumed).timestamp.seconds(since: try Timestamp.parsing(Sentences.timestamp(660)))
        // Any location of the way is right: the daemon may have been held up, or this test, for which only the newest
        // location waits.
        #expect((0...6000).contains(departure), "\(departure) s")
    }
}

extension Timestamp {
    /// Returns the timestamp for a text in a test.
    static func parsing(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }
}
