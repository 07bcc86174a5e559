import CLinux
import Devices
import Glibc
import LocationModel
import NIOCore
import NIOEmbedded
import NMEA
import ReceiverSettings
import TestSupport
import Testing

@testable import Receivers

/// The commands written to a serial port, as seen at the far end of a pseudo-terminal.
struct SettingsDriverTests {
    private static let wake = [UInt8](repeating: 0xFF, count: 8)
    private static let question = Array("$PMTK605*31\r\n".utf8)
    private static let identity = "$PMTK705,AXN_5.1.7,0001,MT3333,1.0*3C\r\n"
    private static let standBy = Array("$PMTK161,0*28\r\n".utf8)

    private func sentence(_ body: String) -> [UInt8] {
        Array("$\(body)*\(body.utf8.reduce(0, ^).twoDigits)\r\n".utf8)
    }

    private func readInterval(_ milliseconds: Int, on wire: Wire) async throws {
        try await wire.expect(sentence("PMTK400"))
        try await wire.send(sentence("PMTK500,\(milliseconds),0,0,0.0,0.0"))
    }

    private func setInterval(_ milliseconds: Int, on wire: Wire) async throws {
        try await wire.expect(sentence("PMTK220,\(milliseconds)"))
        try await wire.send(sentence("PMTK001,220,3"))
        try await readInterval(milliseconds, on: wire)
    }

    /// Starts a receiver that waits minutes for an answer, since the test may wait for a processor.
    private func withPatientReceiver(
        at path: String, baudRate: Int?, _ profile: ReceiverProfile, _ body: (ReceiverProbe) async throws -> Void
    ) async throws {
        let probe = try await ReceiverProbe { loop in
            let transport = SerialTransport(
                path: path, baudRate: baudRate, profile: profile, answerTimeout: .minutes(2), on: loop)
            let source = SentenceReceiver(over: transport, receiver: path, on: loop, clock: ReceiverProbe.now)
            return Receiver(
                .serial(path: path, baudRate: baudRate), name: path, on: loop, source: SilenceTolerantSource(source))
        }
        try await withReceiver(probe, body)
    }

    @Test func commandsAreSentInOrder() async throws {
        let wire = try Wire()
        let profile = ReceiverProfile(.mtk, interval: .demand)
        try await withPatientReceiver(at: wire.path, baudRate: 115_200, profile) { probe in
            try await wire.expect(Self.question)
            try await wire.send(Self.identity)
            try await readInterval(1000, on: wire)
            try await wire.send(Journey(count: 1).bytes)
            _ = try await probe.waitForFix()
            try await probe.with { $0.setDemand(ReceiverDemand(interval: 8)) }
            try await readInterval(1000, on: wire)
            try await setInterval(8000, on: wire)
            // An interval that is already set is not sent again.
            try await probe.with { $0.setDemand(ReceiverDemand(interval: 8)) }
            try await eventually("the outcome") {
                try await probe.with {
                    $0.status.settings.first?.outcome == .applied && $0.status.settings[0].now == "8 s"
                }
            }
            #expect(try await probe.with { $0.status.identity?.model } == "MT3333")
            try await probe.stop()
            #expect(try await wire.receiveToEnd() == sentence("PMTK220,1000"))

            // The demand survives stop and start.
            try await probe.start()
            try await wire.expect(Self.question)
            try await wire.send(Self.identity)
            try await readInterval(1000, on: wire)
            try await setInterval(8000, on: wire)
            try await probe.stop()
            #expect(try await wire.receiveToEnd() == sentence("PMTK220,1000"))
        }
    }

    @Test func nothingIsAskedBeforeTheSpeedIsDetected() async throws {
        let wire = try Wire()
        let profile = ReceiverProfile(.mtk, standsBy: true)
        try await withPatientReceiver(at: wire.path, baudRate: nil, profile) { probe in
            try await wire.expect(Self.wake)
            // Bytes that arrive right after the port was opened do not count, nor do bytes that do not fit.
            var simulator = ReceiverSimulator(route: .harbour, seed: 1)
            var milliseconds = Journey.departure.millisecondsSince1970
            try await eventually("a fix") {
                wire.offer(simulator.sentences(at: Timestamp(millisecondsSince1970: milliseconds)))
                milliseconds += 1000
                return !probe.fixes.isEmpty
            }
            try await wire.expect(Self.question)
            try await wire.send(Self.identity)
            try await eventually("the identity") { try await probe.with { $0.status.identity != nil } }
            try await probe.stop()
            try await wire.expect(Self.standBy)

            // It may be started while the port is open to see whether it sleeps. Without a known speed, the command
            // cannot be sent.
            try await probe.with { receiver in
                receiver.start()
                receiver.stop()
            }
            #expect(try await wire.receiveToEnd() == Self.wake)
        }
    }

    @Test func aReceiverThatIsNotUsedAnyMoreIsWoken() async throws {
        let wire = try Wire()
        let profile = ReceiverProfile(.mtk, standsBy: true)
        try await withPatientReceiver(at: wire.path, baudRate: 4800, profile) { probe in
            try await wire.expect(Self.wake + Self.question)
            try await wire.send(Self.identity)
            try await eventually("the identity") { try await probe.with { $0.status.identity != nil } }
            // No other program reads what it needs for seeing whether the receiver sleeps.
            let path = wire.path
            let descriptor = try await probe.with { receiver in
                receiver.stop()
                return tty_open(path, 9600)
            }
            #expect(descriptor == -EBUSY)
            try await wire.expect(Self.standBy)
            try await probe.with { $0.stop(isPermanent: true) }
            #expect(try await wire.receiveToEnd() == Self.wake)
        }
    }

    @Test func withoutAProfileNothingIsEverWritten() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            for seconds in [nil, 0.2, 60] {
                try await probe.with { $0.setDemand(ReceiverDemand(interval: seconds)) }
                try await probe.start()
                try await probe.with { $0.setDemand(ReceiverDemand(interval: 10)) }
                try await wire.send(Journey(count: 1).bytes)
                _ = try await probe.waitForFix()
                probe.forget()
                try await probe.with { $0.stop() }
                try await probe.start()
                try await probe.stop()
            }
            #expect(try await wire.receiveToEnd().isEmpty)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everything"), arguments: [nil, ReceiverProfile(.ublox)])
    func aPortThatMayOnlyBeReadWorks(profile: ReceiverProfile?) async throws {
        let wire = try Wire()
        chmod(wire.path, 0o400)
        try await withReceiver(.serial(path: wire.path, baudRate: 9600), profile: profile) { probe in
            try await probe.with { $0.setDemand(ReceiverDemand(interval: 2)) }
            try await wire.send(Journey(count: 1).bytes)
            _ = try await probe.waitForFix()
            try await probe.stop()
            #expect(try await wire.receiveToEnd().isEmpty)
        }
    }

    @Test func aPortThatWasUnpluggedIsNoFailureOfItsStandby() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600), profile: ReceiverProfile(.mtk, standsBy: true))
        { probe in
            try await probe.waitUntilOpen()
            wire.unplug()
            let failure = try await probe.waitForLoss()
            #expect(failure.reason == .disconnected || failure.reason == .missing)
            try await probe.stop()
            #expect(try await probe.with { $0.state } == .stopped)
        }
    }

    @Test(
        arguments: [
            (ReceiverProfile.Interval.demand, nil, 5.0), (.demand, 2.5, 5), (.demand, 2.6, 10.2), (.demand, 15, 35),
            (.demand, 180, 136.07), (.fixed(milliseconds: 15_000), nil, 35), (nil, 15, 5),
        ] as [(ReceiverProfile.Interval?, Double?, Double)])
    func silenceLastsLongerWhenFixesAreWantedLessOften(
        interval: ReceiverProfile.Interval?, seconds: Double?, limit: Double
    ) {
        let loop = EmbeddedEventLoop()
        let transport = SerialTransport(
            path: "/dev/ttyS0", baudRate: 9600, profile: ReceiverProfile(.ublox, interval: interval), on: loop)
        let source = SentenceReceiver(over: transport, receiver: "", on: loop, clock: ReceiverProbe.now)
        source.setDemand(ReceiverDemand(interval: seconds), reporting: [])
        #expect(source.silenceLimit == .milliseconds(Int64(limit * 1000)))
        #expect(
            source.silence(after: source.silenceLimit)?.message.contains("for \(Int(limit)) s at 9600 baud") == true)
    }

    /// A source that is open and silent, with a variable limit for its silence.
    private final class SilentSource: FixSource {
        var limit = TimeAmount.seconds(5)
        var silenceLimit: TimeAmount { limit }
        func silence(after _: TimeAmount) -> ReceiverFailure? { ReceiverFailure(.silent, "silent") }
        func setDemand(_ demand: ReceiverDemand, reporting contents: ReceiverReportContents) {
            limit = .seconds(5) + .seconds(Int64(2 * (demand.interval ?? 0)))
        }
        func open(reportingTo sink: any FixSink) { sink.didOpen() }
        func close(toStandby: Bool) {}
    }

    @Test func aReceiverIsLostWhenThatTimeHasPassedCountedFromTheChange() {
        let loop = EmbeddedEventLoop()
        let receiver = Receiver(.simulated(route: nil), name: "", on: loop, source: SilentSource())
        receiver.start()
        loop.advanceTime(by: .milliseconds(4900))
        receiver.setDemand(ReceiverDemand(interval: 15))
        loop.advanceTime(by: .milliseconds(34_900))
        #expect(receiver.state == .waitingForFix)
        receiver.setDemand(ReceiverDemand(interval: 15))
        loop.advanceTime(by: .milliseconds(100))
        #expect(receiver.state == .lost(ReceiverFailure(.silent, "silent")))
        loop.advanceTime(by: .milliseconds(10_500))
        // It is open again, and still lost, because no data has come.
        receiver.setDemand(ReceiverDemand())
        loop.advanceTime(by: .milliseconds(5000))
        #expect(receiver.state == .lost(ReceiverFailure(.silent, "silent")))
        receiver.stop()
    }
}
