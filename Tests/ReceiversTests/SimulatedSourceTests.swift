import Devices
import LocationModel
import NMEA
import TestSupport
import Testing

@testable import Receivers

struct SimulatedSourceTests {
    @Test func aFirstFixComesAtOnceOfTheMachinesTimeAndOnTheRoute() async throws {
        let before = ReceiverProbe.now()
        try await withReceiver(.simulated(route: nil)) { probe in
            let fix = try await probe.waitForFix()
            #expect(fix.location.simulated)
            #expect(fix.location.quality == .simulated)
            #expect(fix.location.receiver == "simulated")
            #expect(fix.location.timestamp.millisecondsSince1970 % 1000 == 0)
            #expect(fix.location.timestamp.seconds(since: before) > -1)
            #expect(ReceiverProbe.now().seconds(since: fix.location.timestamp) < 600)
            let start = Route.harbour.position(after: 0).place
            let told = Route.Place(latitude: fix.location.latitude, longitude: fix.location.longitude, altitude: 0)
            #expect(Route.distance(start, told) < 30)
        }
    }

    /// On a machine that is held up, seconds of its clock pass without a fix. So the test has a clock of its own.
    @Test func itGivesAFixASecondAndNoneWhenItIsStopped() async throws {
        let clock = SteppedClock(milliseconds: [0, 300, 1000, 1999, 2000, 5000])
        try await withReceiver(.simulated(route: nil), clock: { clock.read() }) { probe in
            let fixes = try await probe.wait(for: "4 fixes") { $0.fixes(4) }
            #expect(fixes.map { $0.location.timestamp.seconds(since: Journey.departure) } == [0, 1, 2, 5])
            try await probe.stop()
            let (state, satellites) = try await probe.with { ($0.state, $0.satellites) }
            #expect(state == .stopped)
            #expect(satellites.isEmpty)
            probe.forget()
            try await probe.start()
            try await probe.wait(for: "found again") { $0.fixes(1) }
            #expect(probe.events.contains(.found))
        }
    }

    @Test func itFollowsAGPXRoute() async throws {
        let directory = try TemporaryFolder()
        let route = try directory.write("<gpx><wpt lat='-41.5' lon='174.25'/></gpx>", to: "anchor.gpx")
        try await withReceiver(.simulated(route: route)) { probe in
            let location = try await probe.waitForFix().location
            #expect(abs(location.latitude + 41.5) < 0.001)
            #expect(abs(location.longitude - 174.25) < 0.001)
        }
    }

    @Test func aRouteWithAnErrorIsToldWithFileAndLineAndReadAgainWhenItIsPutRight() async throws {
        let directory = try TemporaryFolder()
        let route = try directory.write("<gpx>\n<wpt lat='x' lon='1'/></gpx>", to: "walk.gpx")
        try await withReceiver(.simulated(route: route)) { probe in
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .unusable)
            #expect(failure.message.hasPrefix("\(route):2: "))
            _ = try directory.write("<gpx>\n<wpt lat='1' lon='1'/></gpx>", to: "walk.gpx")
            _ = try await probe.waitForFix()
        }
    }
}
