import LocationModel
import Logging
import TestSupport
import Testing

@testable import LocationCore
@testable import TimeTransfer

@Suite struct TimeServiceTests {
    private static let second: Int64 = 1_000_000_000
    private static let start: Int64 = 1_795_435_200 * second

    private final class FakePulses: PulseSource {
        var pulse: Pulse?
        func lastPulse() -> Pulse? { pulse }
    }

    /// A service with sockets of its own, in made-up time.
    private final class Trial {
        let lines = RecordedLines()
        let epochs: DatagramListener
        let pulseSamples: DatagramListener
        let pulses = FakePulses()
        private let folder: TemporaryFolder
        private var clocks = ClockReading(wall: 0, steady: 0)
        private lazy var service = TimeService(
            TimeSettings(
                chronySocket: epochs.path, pulseDevice: hasPulses ? "/dev/pps0" : nil,
                pulseSocket: hasPulses ? pulseSamples.path : nil),
            clocks: { [unowned self] in clocks }, pulses: hasPulses ? pulses : nil,
            log: Logger(label: "test") { [lines] _ in RecordingLog(lines) })
        private let hasPulses: Bool
        /// The samples that were received. A socket holds few of them.
        private var received: (epochs: [SockSample], pulses: [SockSample]) = ([], [])

        init(hasPulses: Bool = false) throws {
            self.hasPulses = hasPulses
            folder = try TemporaryFolder()
            epochs = try DatagramListener(folder.path + "/epochs")
            pulseSamples = try DatagramListener(folder.path + "/pulses")
        }

        /// Passes the epoch of a second, which arrives 150 ms later by a wall clock that is 2 s behind.
        func arrive(
            _ second: Int64, id: Int = 0, delay: Double? = nil, origin: TimeOrigin = .satellites,
            doubts: FixDoubts? = nil
        ) {
            let trueTime = TimeServiceTests.start + second * TimeServiceTests.second + 150_000_000
            clocks = ClockReading(
                wall: trueTime - 2 * TimeServiceTests.second, steady: trueTime - TimeServiceTests.start)
            service.receive(
                EpochArrival(statedTime: trueTime - 150_000_000, origin: origin, clocks: clocks), from: "deck", id: id,
                delay: delay, doubts: doubts)
            received.epochs += epochs.received().compactMap(SockSample.init)
            received.pulses += pulseSamples.received().compactMap(SockSample.init)
        }

        func arriveUnknown() { service.receive(nil, from: "deck", id: 0, delay: nil) }

        func pulse(_ second: Int64) {
            pulses.pulse = Pulse(
                sequence: UInt32(second + 1),
                wallClock: TimeServiceTests.start + (second - 2) * TimeServiceTests.second)
        }

        /// Returns the offsets of the samples since the last call.
        func offsets() -> [Double] {
            defer { received.epochs = [] }
            return received.epochs.map(\.offset)
        }

        /// Returns the offsets of the pulses' samples since the last call.
        func pulseOffsets() -> [Double] {
            defer { received.pulses = [] }
            return received.pulses.map(\.offset)
        }
    }

    /// Attack: false signals set the clocks of all machines around.
    @Test func aSuspectReceiverSetsNoClock() throws {
        let trial = try Trial()
        for second in 0..<9 { trial.arrive(Int64(second), delay: 0) }
        #expect(trial.offsets().count == 1)
        for second in 9..<80 { trial.arrive(Int64(second), delay: 0, doubts: FixDoubts([.spoofing])) }
        #expect(trial.offsets().isEmpty)
        #expect(
            trial.lines.all.contains { $0.contains("chrony gets no time from deck: its location is suspect") })
        // Afterwards the epochs have to agree again.
        for second in 80..<88 { trial.arrive(Int64(second), delay: 0) }
        #expect(trial.offsets().isEmpty)
        trial.arrive(88, delay: 0)
        #expect(trial.offsets() == [1.85])
    }

    @Test func theStatedDelayIsAddedToTheStatedTime() throws {
        let trial = try Trial()
        for second in 0..<10 { trial.arrive(Int64(second), delay: 0.15) }
        #expect(trial.offsets() == [2, 2])
        for second in 10..<12 { trial.arrive(Int64(second)) }
        #expect(trial.offsets() == [1.85, 1.85])
    }

    @Test(arguments: [TimeOrigin.inferred, .invented]) func noSampleOfATimeThatIsNotTheReceivers(origin: TimeOrigin)
        throws
    {
        let trial = try Trial()
        for second in 0..<100 { trial.arrive(Int64(second), origin: origin) }
        #expect(trial.offsets().isEmpty)
        #expect(trial.lines.all.count == 1)
        #expect(trial.lines.all[0].hasPrefix("warning: chrony gets no time from deck: "))
    }

    @Test func anUnknownArrivalMakesNoSampleAndIsExplainedOnce() throws {
        let trial = try Trial()
        for _ in 0..<59 { trial.arriveUnknown() }
        #expect(trial.lines.all.isEmpty)
        for _ in 0..<500 { trial.arriveUnknown() }
        #expect(trial.lines.all.count == 1)
        #expect(trial.lines.all[0].contains("fewer sentences or to use a higher speed"))
        #expect(trial.offsets().isEmpty)
    }

    @Test func anotherReceiverHasToSettle() throws {
        let trial = try Trial()
        for second in 0..<9 { trial.arrive(Int64(second), delay: 0.15) }
        #expect(trial.offsets() == [2])
        for second in 9..<17 { trial.arrive(Int64(second), id: 1, delay: 0) }
        #expect(trial.offsets().isEmpty)
        trial.arrive(17, id: 1, delay: 0)
        #expect(trial.offsets() == [1.85])
    }

    @Test func whatWasMeasuredIsLoggedOnce() throws {
        let trial = try Trial()
        for second in 0..<200 { trial.arrive(Int64(second), delay: 0.15) }
        #expect(trial.lines.all.filter { $0.contains("arrive within 0 ms of their usual delay") }.count == 1)
        #expect(trial.lines.all.count == 2)
    }

    /// Until the delay is known, an epoch would be taken to be 150 ms late.
    @Test func thePulseGivesTheDelayOfTheEpochs() throws {
        let trial = try Trial(hasPulses: true)
        for second in 0..<20 {
            trial.pulse(Int64(second))
            trial.arrive(Int64(second))
        }
        // Eight epochs settle, and the pulses before the next eight measure.
        #expect(trial.offsets() == [2, 2, 2, 2])
        #expect(trial.pulseOffsets() == Array(repeating: 2, count: 12))
        #expect(trial.lines.all.contains { $0.contains("arrive 150 ms after their moment, by the pulse") })
    }

    @Test func withoutPulsesTheirTimeIsNotGuessed() throws {
        let trial = try Trial(hasPulses: true)
        for second in 0..<100 { trial.arrive(Int64(second)) }
        #expect(trial.offsets().isEmpty && trial.pulseOffsets().isEmpty)
        #expect(trial.lines.all.filter { $0.contains("no pulses match") }.count == 1)
        for second in 100..<103 { trial.arrive(Int64(second), delay: 0.15) }
        #expect(trial.offsets() == [2, 2, 2])
    }

    /// A receiver without a fix may go on to send pulses, by a clock that drifts.
    @Test func noPulseCountsWithoutAnEpochThatCounts() throws {
        let trial = try Trial(hasPulses: true)
        for second in 0..<30 {
            trial.pulse(Int64(second))
            trial.arrive(Int64(second), delay: 0.15, origin: .inferred)
        }
        #expect(trial.pulseOffsets().isEmpty)
    }
}
