import Devices
import LocationModel
import NIOCore
import NIOEmbedded
import NMEA
import TestSupport
import Testing
import TimeTransfer

@testable import Receivers

struct SimulatedTransportTests {
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
            let (state, satellites) = try await probe.with { ($0.state, $0.status.satellites) }
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

    /// A sink that closes the receiver at its first fix.
    private final class ClosingSink: FixSink {
        var receiver: SentenceReceiver?
        var reports: [String] = []
        let silenceLimit = ReceiverStateMachine.silenceLimit
        let isSuspect = false

        func didOpen() { reports.append("open") }
        func didReceiveData(at now: NIODeadline) {}
        func didReceiveUnreadableData() {}
        func didProduceFix(_ fix: Fix, at now: NIODeadline) {
            reports.append("fix")
            receiver?.close(toStandby: false)
        }
        func didTimeEpoch(_ arrival: EpochArrival?) {}
        func didReportHeading(_ heading: LocationModel.Heading) {}
        func didReceive(_ bytes: RawSpan, at now: NIODeadline) {}
        func didFindNoFix(_: ReceiverDiagnosis) {}
        func didFail(_ failure: ReceiverFailure) { reports.append(failure.message) }
    }

    @Test func nothingComesOfAReceiverThatIsClosedAtItsFix() {
        let loop = EmbeddedEventLoop()
        let sink = ClosingSink()
        let transport = SimulatedTransport(on: loop, clock: { Journey.departure + loop.now.uptimeNanoseconds }) {
            ReceiverSimulator(route: .harbour, seed: 1)
        }
        let receiver = SentenceReceiver(over: transport, receiver: "", on: loop, clock: { Journey.departure })
        sink.receiver = receiver
        receiver.open(reportingTo: sink)
        #expect(sink.reports == ["open"])
        loop.advanceTime(by: .seconds(10))
        #expect(sink.reports == ["open", "fix"])
        sink.receiver = nil
        receiver.open(reportingTo: sink)
        loop.advanceTime(by: .milliseconds(2500))
        #expect(sink.reports == ["open", "fix", "open", "fix", "fix", "fix"])
        receiver.close(toStandby: false)
        loop.advanceTime(by: .seconds(10))
        #expect(sink.reports.count == 6)
    }
}

extension Timestamp {
    fileprivate static func + (time: Timestamp, nanoseconds: UInt64) -> Timestamp {
        Timestamp(millisecondsSince1970: time.millisecondsSince1970 + Int64(nanoseconds / 1_000_000))
    }
}
