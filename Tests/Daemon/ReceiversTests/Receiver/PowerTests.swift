import CLinux
import Devices
import Glibc
import LocationModel
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import Receivers

/// The commands written to a serial port, as seen at the far end of a pseudo-terminal.
struct PowerTests {
    private func interval(_ power: ReceiverPower, _ seconds: Double?) -> [UInt8] {
        let commands = PowerCommands(power: power)
        return commands.setInterval(milliseconds: commands.interval(seconds: seconds))
    }

    @Test(arguments: ReceiverPower.allCases)
    func powerCommandsAreSentInOrder(power: ReceiverPower) async throws {
        let commands = PowerCommands(power: power)
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 115_200), power: power) { probe in
            try await wire.expect(commands.wake + interval(power, 1))
            try await wire.send(Journey(count: 1).bytes)
            _ = try await probe.waitForFix()
            try await probe.with { $0.setInterval(seconds: 8) }
            try await wire.expect(interval(power, 8))
            // An interval that is already set is not sent again.
            try await probe.with { $0.setInterval(seconds: 8) }
            try await probe.with { $0.setInterval(seconds: nil) }
            try await wire.expect(interval(power, 1))
            try await probe.stop()
            #expect(try await wire.receiveToEnd() == commands.standBy)

            // The interval survives stop and start, and may change while the receiver is stopped or waking up.
            try await probe.with { receiver in
                receiver.stop()
                receiver.setInterval(seconds: 3)
                receiver.start()
                receiver.setInterval(seconds: 4)
            }
            try await wire.expect(commands.wake + interval(power, 4))
            try await probe.with { $0.stop() }
            #expect(try await wire.receiveToEnd() == commands.standBy)
            #expect(try await probe.with { $0.state } == .stopped)
        }
    }

    @Test func theIntervalIsSetOnceTheSpeedIsDetected()
        async throws
    {
        let commands = PowerCommands(power: .ublox)
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: nil), power: .ublox) { probe in
            try await wire.expect(commands.wake)
            try await probe.with { $0.setInterval(seconds: 8) }
            // Bytes that arrive right after the port was opened do not count, nor do bytes that do not fit.
            var simulator = ReceiverSimulator(route: .harbour, seed: 1)
            var milliseconds = Journey.departure.millisecondsSince1970
            try await eventually("a fix") {
                wire.offer(simulator.sentences(at: Timestamp(millisecondsSince1970: milliseconds)))
                milliseconds += 1000
                return !probe.fixes.isEmpty
            }
            try await wire.expect(interval(.ublox, 8))
            try await probe.stop()
            #expect(try await wire.receiveToEnd() == commands.standBy)

            // Without a known speed, the standby command cannot be sent.
            try await probe.with { receiver in
                receiver.start()
                receiver.stop()
            }
            let sent = try await wire.receiveToEnd()
            #expect(sent == commands.wake)
        }
    }

    @Test func itCanBeStartedAgainAtOnce() async throws {
        let commands = PowerCommands(power: .ublox)
        let wire = try Wire()
        // The speed is so low that the bytes are still being transmitted.
        try await withReceiver(.serial(path: wire.path, baudRate: 4800), power: .ublox) { probe in
            try await wire.expect(commands.wake + interval(.ublox, 1))
            try await probe.with { receiver in
                receiver.stop()
                receiver.start()
            }
            try await wire.expect(commands.standBy + commands.wake + interval(.ublox, 1))
            try await wire.send(Journey(count: 1).bytes)
            _ = try await probe.waitForFix()
            #expect(!probe.events.contains { $0.failure != nil })
        }
    }

    @Test func whileTheBytesAreOnTheirWayOtherProgramsGetThePort() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 4800), power: .ublox) { probe in
            let path = wire.path
            let descriptor = try await probe.with { receiver in
                receiver.stop()
                return tty_open(path, 9600)
            }
            #expect(descriptor >= 0)
            tty_release(descriptor)
            close(descriptor)
        }
    }

    @Test func withoutPowerNothingIsEverWritten() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600)) { probe in
            for seconds in [nil, 0.2, 60] {
                try await probe.with { $0.setInterval(seconds: seconds) }
                try await probe.start()
                try await probe.with { $0.setInterval(seconds: 10) }
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

    @Test(.enabled(if: geteuid() != 0, "root may write everything"), arguments: [nil, ReceiverPower.ublox])
    func aPortThatMayOnlyBeReadWorks(power: ReceiverPower?) async throws {
        let wire = try Wire()
        chmod(wire.path, 0o400)
        try await withReceiver(.serial(path: wire.path, baudRate: 9600), power: power) { probe in
            try await probe.with { $0.setInterval(seconds: 2) }
            try await wire.send(Journey(count: 1).bytes)
            _ = try await probe.waitForFix()
            try await probe.stop()
            #expect(try await wire.receiveToEnd().isEmpty)
        }
    }

    @Test func aPortThatWasUnpluggedIsNoFailureOfItsStandby() async throws {
        let wire = try Wire()
        try await withReceiver(.serial(path: wire.path, baudRate: 9600), power: .mtk) { probe in
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
            (ReceiverPower.ublox, nil, 5.0), (.ublox, 2.5, 5), (.ublox, 2.6, 10.2), (.ublox, 15, 35),
            (.ublox, 180, 136.07),
            (.mtk, 15, 25), (nil, 15, 5),
        ] as [(ReceiverPower?, Double?, Double)])
    func silenceLastsLongerWhenFixesAreWantedLessOften(
        power: ReceiverPower?, seconds: Double?, limit: Double
    ) {
        let loop = EmbeddedEventLoop()
        let source = SentenceReceiver(
            over: SerialTransport(path: "/dev/ttyS0", baudRate: 9600, power: power, on: loop), receiver: "", on: loop,
            clock: ReceiverProbe.now)
        source.setInterval(seconds: seconds)
        #expect(source.silenceLimit == .milliseconds(Int64(limit * 1000)))
        #expect(
            source.silence(after: source.silenceLimit)?.message.contains("for \(Int(limit)) s at 9600 baud") == true)
    }

    /// A source that is open and silent, with a variable limit for its silence.
    private final class SilentSource: FixSource {
        var limit = TimeAmount.seconds(5)
        var silenceLimit: TimeAmount { limit }
        func silence(after _: TimeAmount) -> ReceiverFailure? { ReceiverFailure(.silent, "silent") }
        func setInterval(seconds: Double?) { limit = .seconds(5) + .seconds(Int64(2 * (seconds ?? 0))) }
        func open(reportingTo sink: any FixSink) { sink.didOpen() }
        func close(toStandby: Bool) {}
    }

    @Test func aReceiverIsLostWhenThatTimeHasPassedCountedFromTheChange() {
        let loop = EmbeddedEventLoop()
        let receiver = Receiver(.simulated(route: nil), name: "", on: loop, source: SilentSource())
        receiver.start()
        loop.advanceTime(by: .milliseconds(4900))
        receiver.setInterval(seconds: 15)
        loop.advanceTime(by: .milliseconds(34_900))
        #expect(receiver.state == .waitingForFix)
        receiver.setInterval(seconds: 15)
        loop.advanceTime(by: .milliseconds(100))
        #expect(receiver.state == .lost(ReceiverFailure(.silent, "silent")))
        loop.advanceTime(by: .milliseconds(10_500))
        // It is open again, and still lost, because no data has come.
        receiver.setInterval(seconds: nil)
        loop.advanceTime(by: .milliseconds(5000))
        #expect(receiver.state == .lost(ReceiverFailure(.silent, "silent")))
        receiver.stop()
    }
}
