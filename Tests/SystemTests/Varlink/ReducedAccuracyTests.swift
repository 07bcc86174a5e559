import Foundation
import LocationModel
import LocationProtocol
import Positioning
import TestSupport
import Testing
import Varlink

/// The deliveries to an app with reduced accuracy, through the real daemon, on a drive that is replayed 450 times
/// as fast.
@Suite(.timeLimit(.minutes(15))) struct ReducedAccuracyTests {
    private let daemon: TestDaemon
    /// An app with full accuracy, so that the receiver runs all the time.
    private let other: RunningProgram

    /// A drive of eleven hours, so long that no test reaches its end.
    private static let drive = {
        var track = Track(every: 10)
        track.go(11 * 3600, at: 20)
        return track
    }()

    init() async throws {
        daemon = try await Self.daemon(speed: 450)
        try await daemon.grantCtl()
        other = try await Self.watchEverything(daemon)
    }

    private static func daemon(speed: Int) async throws -> TestDaemon {
        let folder = try TemporaryFolder()
        let file = try drive.write(to: folder, as: "drive.nmea")
        return try await TestDaemon(receivers: ["replay:\(file)@\(speed)"], folder: folder)
    }

    private static func watchEverything(_ daemon: TestDaemon) async throws -> RunningProgram {
        let watch = try daemon.startCtl("watch", "--json", "--no-pauses")
        try await eventually("another app's location") { !watch.lines.isEmpty }
        return watch
    }

    private func grant(_ accuracy: AccuracyAuthorization) async throws {
        _ = try await daemon.call(
            Grant.self, .init(app: try await daemon.ownApp(), level: .always, accuracy: accuracy))
    }

    /// Returns the true position during the drive.
    private func truth(_ timestamp: Timestamp) throws -> Location {
        let seconds = timestamp.seconds(since: try .parsing(Sentences.timestamp(0)))
        return Location(timestamp: timestamp, latitude: Track.latitude(north: 20 * seconds), longitude: 8.75)
    }

    /// Returns the quarter of an hour when a location was determined.
    private func quarter(_ location: Location) -> Timestamp { AccuracyReducer.tick(atOrBefore: location.timestamp) }

    /// Returns what must be the same for all locations of a quarter.
    private func cell(_ location: Location) -> [Double] { [location.latitude, location.longitude] }

    private func expectReduced(_ location: Location) throws {
        var reduced = Location(
            timestamp: location.timestamp, latitude: location.latitude, longitude: location.longitude)
        reduced.horizontalAccuracy = AccuracyReducer.horizontalAccuracy
        #expect(location == reduced, "and nothing more")
        // The radius was valid at one moment of the quarter: when the cell was determined. A recording that begins
        // again is before that quarter, whose location then carries the time of the quarter's beginning.
        let beginning = quarter(location).millisecondsSince1970
        let end = AccuracyReducer.nextTick(after: quarter(location)).millisecondsSince1970 - 1
        let delivery = location.timestamp.millisecondsSince1970
        let distances = try stride(from: beginning, through: delivery == beginning ? end : delivery, by: 1000).map {
            location.distance(to: try truth(Timestamp(millisecondsSince1970: $0)))
        }
        #expect(distances.contains { $0 <= AccuracyReducer.horizontalAccuracy }, "\(location) \(distances)")
    }

    @Test func itGetsACellAtOnceThenAtEachTickAndNothingMore() async throws {
        try await grant(.reduced)
        let client = try await daemon.connect(to: LocationInterface.self)
        var changes = try client.stream(
            MonitorSignificantChanges.qualifiedName, WakeParameters(), of: Subscribe.Reply.self
        ).makeAsyncIterator()
        var locations: [Location] = []
        for try await reply in try await daemon.subscribe() {
            guard let location = reply.update?.location else { continue }
            try expectReduced(location)
            locations.append(location)
            if locations.count == 4 { break }
        }
        for (a, b) in zip(locations, locations.dropFirst()) {
            #expect(quarter(b) > quarter(a))
            #expect(b.timestamp.seconds(since: quarter(b)) >= 5, "\(b.timestamp) is before the end of a search")
        }
        // Significant changes are reduced in the same way.
        try expectReduced(try #require(try await changes.next()?.update?.location))
        // Subscribing and requesting again gain nothing.
        let again = try await daemon.call(GetLocation.self, .init(timeout: 600, maximumAge: 0)).location
        try expectReduced(again)
        for _ in 0..<50 {
            let other = try await daemon.call(GetLocation.self, .init(timeout: 600)).location
            #expect(other.timestamp >= again.timestamp)
            #expect(cell(other) == cell(again) || quarter(other) > quarter(again))
            try expectReduced(other)
        }
    }

    /// Attack: apps subscribe and leave at will, so that fixes of their choice are settled. Together they get one
    /// cell in each quarter, that of a single moment.
    @Test func subscribingAtWillGetsOneCellAQuarter() async throws {
        try await grant(.reduced)
        var told: [Timestamp: Set<[Double]>] = [:]
        var watch: RunningProgram?
        defer { watch?.signal(SIGTERM) }
        try await eventually("four quarters") {
            let streamed = try await firstLocation(of: daemon)
            let single = try await daemon.call(GetLocation.self, .init(timeout: 600, maximumAge: 0)).location
            for location in [streamed, single] {
                try expectReduced(location)
                told[quarter(location), default: []].insert(cell(location))
            }
            if told.count == 2, watch == nil {
                // The recording starts again, so the same quarters are repeated.
                try await daemon.kill()
                try await daemon.start()
                watch = try await Self.watchEverything(daemon)
            }
            return told.count >= 4
        }
        #expect(told.values.allSatisfy { $0.count == 1 }, "\(told)")
    }

    private func firstLocation(of daemon: TestDaemon) async throws -> Location {
        for try await reply in try await daemon.subscribe() {
            if let location = reply.update?.location { return location }
        }
        throw Overdue(what: "a location")
    }

    /// The first fix answers the call, not the clock. After that, the receiver is closed again.
    @Test func aCallIsAnsweredByTheFirstFix() async throws {
        let daemon = try await Self.daemon(speed: 1)
        _ = try await daemon.call(
            Grant.self, .init(app: try await daemon.ownApp(), level: .whenInUse, accuracy: .reduced))
        let location = try await daemon.call(GetLocation.self, .init(timeout: 600, maximumAge: 0)).location
        try expectReduced(location)
        #expect(try await cell(daemon.call(GetLocation.self, .init(maximumAge: 0)).location) == cell(location))
        #expect(try await cell(firstLocation(of: daemon)) == cell(location))
        try await eventually("the receiver to be closed") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped
        }
    }

    /// Attack: calls that cannot be answered drain the battery, and notice the second when the sky opens.
    @Test func aCallThatNothingAnswersKeepsNoReceiverOn() async throws {
        let folder = try TemporaryFolder()
        var track = Track(every: 3)
        for _ in 0..<12_000 { track.add(speed: 20, east: 0, hdop: 30) }
        let file = try track.write(to: folder, as: "blurred.nmea")
        let daemon = try await TestDaemon(receivers: ["replay:\(file)@300"])
        _ = try await daemon.call(
            Grant.self, .init(app: try await daemon.ownApp(), level: .whenInUse, accuracy: .reduced))
        let calls = (0..<3).map { _ in
            Task { try await daemon.call(GetLocation.self, .init(timeout: 36_000, maximumAge: 0)).location }
        }
        defer { for call in calls { call.cancel() } }
        try await eventually("the calls") {
            try await daemon.call(ListApps.self, UserScope()).apps.first?.connections ?? 0 >= 3
        }
        try await eventually("the receiver to be open") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].fixes ?? 0 > 0
        }
        try await eventually("the receiver to be closed") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state == .stopped
        }
        // The calls are still waiting.
        #expect(try await daemon.call(ListApps.self, UserScope()).apps[0].connections >= 3)
    }

    @Test func theReceiversRunAroundEachTickOnly() async throws {
        let daemon = try await Self.daemon(speed: 150)
        _ = try await daemon.call(
            Grant.self, .init(app: try await daemon.ownApp(), level: .whenInUse, accuracy: .reduced))
        var updates = try await daemon.subscribe().makeAsyncIterator()
        func expectLocation() async throws {
            let update = try await updates.next()?.update
            try expectReduced(try #require(update?.location))
        }
        func fixes() async throws -> Int { try await daemon.call(ListReceivers.self, .init()).receivers[0].fixes ?? 0 }
        try await expectLocation()
        var before = try await fixes()
        // A window of half a minute in each quarter. A daemon that is held up in it then publishes at once all that it
        // has missed, so one quarter in which it was not is enough.
        try await eventually("a quarter with the fixes of a window") {
            try await expectLocation()
            let last = before
            before = try await fixes()
            return before - last < 60
        }
    }

    @Test func switchingToReducedForgetsTheFullLocation() async throws {
        try await grant(.full)
        var isGranted = false
        var isReduced = false
        var afterwards = 0
        for try await reply in try await daemon.subscribe() {
            guard let update = reply.update else { break }
            if update.event == .authorizationChanged { isReduced = update.authorization?.accuracy == .reduced }
            guard let location = update.location else { continue }
            if isReduced {
                try expectReduced(location)
                afterwards += 1
                if afterwards == 3 { break }
            } else if location.speed != nil, !isGranted {
                // Once: other exact locations may be on their way, and the recording does not wait.
                isGranted = true
                try await grant(.reduced)
                // The last known location is reduced as well: there is none yet, or it comes from a tick.
                do {
                    try expectReduced(
                        try await daemon.call(GetLocation.self, .init(timeout: 0, maximumAge: 60)).location)
                } catch let error as VarlinkError {
                    #expect(error.name == "io.locationd.Location.LocationUnknown")
                }
            }
        }
        #expect(afterwards == 3)
    }

    /// After the user has reduced the accuracy, an app does not go on showing the exact place: its open stream gets the
    /// coarse one at once, though this quarter brings no other.
    @Test func anOpenStreamGetsTheReducedLocationAtOnce() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await daemon.ownApp()
        func grant(_ accuracy: AccuracyAuthorization) async throws {
            _ = try await daemon.call(Grant.self, .init(app: app, level: .whenInUse, accuracy: accuracy))
        }
        // Another app with reduced accuracy has settled the quarter.
        _ = try await daemon.call(
            Grant.self, .init(app: try await daemon.ctlApp(), level: .whenInUse, accuracy: .reduced))
        let other = try daemon.startCtl("watch", "--json", "--no-pauses")
        try await eventually("the reduced location") { other.lines.contains { $0.contains("8500") } }
        try await grant(.full)
        let client = try await daemon.connect(to: LocationInterface.self)
        var changes = try client.stream(
            MonitorSignificantChanges.qualifiedName, WakeParameters(), of: Subscribe.Reply.self
        ).makeAsyncIterator()
        func nextChange() async throws -> Location { try #require(try await changes.next()?.update?.location) }
        #expect(try await nextChange().speed != nil)
        var updates = try await daemon.subscribe().makeAsyncIterator()
        for _ in 0..<2 {
            var update = try await updates.next()?.update
            while update?.location?.speed == nil { update = try await updates.next()?.update }
            try await grant(.reduced)
            while update?.authorization?.accuracy != .reduced { update = try await updates.next()?.update }
            let location = try #require(try await updates.next()?.update?.location)
            #expect(location.horizontalAccuracy == AccuracyReducer.horizontalAccuracy && location.speed == nil)
            var change = try await nextChange()
            while change.speed != nil { change = try await nextChange() }
            #expect(change.horizontalAccuracy == AccuracyReducer.horizontalAccuracy)
            try await grant(.full)
        }
        other.signal(SIGTERM)
    }

    /// Attack: the power is cut after a grant of reduced accuracy has been written, but before an event with full
    /// accuracy was removed from the disk.
    @Test func aStoredEventWithFullAccuracyIsDropped() async throws {
        try await grant(.reduced)
        let app = try await daemon.ownApp()
        try await daemon.kill()
        let event = """
            {"update":{"event":"location","location":{"timestamp":"2026-06-01T12:00:00.000Z","latitude":1.25,"longitude":\
            8.75,"horizontalAccuracy":5,"simulated":false}}}
            """
        let edit = try await Program.run(
            "/usr/bin/python3",
            [
                "-c",
                Program.script("Database/stored_event"), daemon.state + "/locationd.db", "\(getuid())", app, event,
            ])
        #expect(edit.status == 0, "\(edit.errors)")
        try await daemon.start()
        func first() async throws -> Location? {
            for try await reply in try await daemon.connect(to: LocationInterface.self).stream(
                MonitorSignificantChanges.qualifiedName, WakeParameters(), of: Subscribe.Reply.self)
            {
                if let location = reply.update?.location { return location }
            }
            return nil
        }
        _ = try await Self.watchEverything(daemon)
        try expectReduced(try #require(try await first()))
    }

    @Test func anAppMayRequestReducedAccuracy() async throws {
        try await grant(.full)
        var options = Options()
        options.desiredAccuracy = .reduced
        options.maximumUpdates = 2
        for reply in try await daemon.subscribe(options).first(2) {
            try expectReduced(try #require(reply.update?.location))
        }
    }

    @Test func whatNeedsFullAccuracyIsRefused() async throws {
        try await grant(.reduced)
        let circle = CircularRegion(identifier: "home", latitude: 47.5, longitude: 8.75, radius: 100)
        let denied = VarlinkError("io.locationd.Location.RegionMonitoringDenied")
        await #expect(throws: denied) { try await daemon.call(StartMonitoringRegion.self, .init(region: circle)) }
        let client = try await daemon.connect(to: LocationInterface.self)
        await #expect(throws: denied) {
            try await client.stream(MonitorVisits.qualifiedName, WakeParameters(), of: MonitorVisits.Reply.self).first(
                1)
        }
        let other = try await daemon.connect(to: LocationInterface.self)
        await #expect(throws: VarlinkError("io.locationd.Location.HeadingUnavailable")) {
            try await other.stream(
                MonitorHeading.qualifiedName, MonitorHeading.Parameters(), of: MonitorHeading.Reply.self
            ).first(1)
        }
    }

    @Test func aRestartGainsNothing() async throws {
        try await grant(.reduced)
        let before = try await daemon.subscribe().first(2).compactMap(\.update?.location)
        try await daemon.kill()
        let secret = FileManager.default.contents(atPath: daemon.state + "/secret")
        #expect(secret?.count == 32)
        // The recording starts again, so the same ticks are repeated. They have been settled, so nothing is delivered
        // twice.
        try await daemon.start()
        let watch = try await Self.watchEverything(daemon)
        defer { watch.signal(SIGTERM) }
        let after = try await daemon.subscribe().first(2).compactMap(\.update?.location)
        #expect(FileManager.default.contents(atPath: daemon.state + "/secret") == secret)
        let last = try #require(before.last)
        for location in after {
            try expectReduced(location)
            let same = before.filter { quarter($0) == quarter(location) }
            #expect(quarter(location) > quarter(last) || same.contains { cell($0) == cell(location) })
        }
    }
}
