import Devices
import LocationModel
import Logging
import NIOCore
import NIOEmbedded
import Positioning
import TestSupport
import Testing

@testable import LocationCore
@testable import Receivers

/// What speaks against fixes, on their way through the control of the receivers, in virtual time.
@Suite struct ReceiverIntegrityTests {
    private let loop = EmbeddedEventLoop()
    private let sources: [FakeSource]
    private let lines = RecordedLines()
    private let record = Record()
    private let synchronization = Synchronization()

    init() { sources = [FakeSource(on: loop), FakeSource(on: loop)] }

    private final class Synchronization: ClockSynchronization {
        var answer = false
        private(set) var questions = 0
        var isSynchronized: Bool {
            questions += 1
            return answer
        }
    }

    private final class Record: ReceiverControlDelegate {
        var reasons: [[FixDoubts.Reason]] = []

        func publish(_ publication: Publication, receivedAt _: NIODeadline) {
            reasons.append(publication.location.doubts?.reasons ?? [])
        }

        func publish(availability _: Bool, to _: AccuracyAuthorization) {}
        func publish(withoutFix _: ReceiverUpdate) {}
        func publish(_: Heading) {}
        func publish(_: ReceivedBytes) {}
    }

    /// The machine's clock runs with the loop's and is right at the start.
    private func control(_ count: Int = 1) -> ReceiverControl {
        let receivers = sources.prefix(count).enumerated().map {
            Receiver(.serial(path: "/dev/tty\($0)", baudRate: nil), name: "gps\($0)", on: loop, source: $1)
        }
        let control = ReceiverControl(
            receivers, on: loop,
            clock: { [loop] in
                Timestamp(millisecondsSince1970: Int64(loop.now.uptimeNanoseconds / 1_000_000))
            }, log: Logger(label: "test") { [lines] _ in RecordingLog(lines) })
        control.delegate = record
        control.synchronization = synchronization
        control.follow(.continuous)
        return control
    }

    private func pass(_ seconds: Range<Int64>, offset: Int64 = 0, latitude: Double = 47) {
        for second in seconds {
            sources[0].fix(second + offset, latitude: latitude)
            loop.advanceTime(by: .seconds(1))
        }
    }

    @Test func appsGetTheReasonAndTheLogHasEachChangeOnce() {
        let control = control()
        var changes = 0
        control.changes.observe([.indicator]) { changes += 1 }
        pass(0..<2)
        #expect(control.doubts == nil)
        sources[0].reportsSpoofing = true
        pass(2..<4)
        #expect(control.doubts?.reasons == [.spoofing])
        sources[0].reportsSpoofing = false
        pass(4..<70)
        #expect(record.reasons[0..<2] == [[], []])
        #expect(record.reasons[2..<63].allSatisfy { $0 == [.spoofing] })
        #expect(record.reasons[63...].allSatisfy { $0 == [] })
        let logged = lines.all.filter { $0.contains("suspect") }
        #expect(logged.count == 2)
        #expect(
            logged.first?.contains("its location is suspect: the receiver reports false signals (spoofing)") == true)
        #expect(logged.last?.contains("its location is no longer suspect") == true)
        #expect(changes == 2)
        control.stop()
    }

    /// Attack: signals of an hour ago are sent again, and all values of a fix agree with each other.
    @Test func aReplayIsFoundByASynchronizedClock() {
        let control = control()
        pass(0..<2)
        #expect(synchronization.questions == 0)
        pass(2..<4, offset: 3600)
        #expect(synchronization.questions == 2)
        #expect(record.reasons == [[], [], [], []])
        synchronization.answer = true
        pass(4..<5, offset: 3600)
        #expect(record.reasons.last == [.clock])
        control.stop()
    }

    /// A receiver that does not know the leap seconds yet is wrong by up to 18 s.
    @Test(arguments: [-18, 18] as [Int64])
    func theLeapSecondsAreNoReplay(offset: Int64) {
        synchronization.answer = true
        let control = control()
        pass(100..<105, offset: offset - 100)
        #expect(record.reasons.count == 5 && record.reasons.allSatisfy { $0 == [] })
        control.stop()
    }

    /// Whoever slept on the way is elsewhere: the loop's clock has stood still.
    @Test func aSleepIsNoJump() {
        let control = control()
        pass(0..<2)
        control.woke(after: .hours(10))
        pass(2..<4, latitude: 60)
        #expect(record.reasons == [[], [], [], []])
        pass(4..<5, latitude: 61)
        #expect(record.reasons.last == [.jump])
        control.stop()
    }

    @Test func anotherReceiverTakesOverFromOneThatIsDeceived() {
        let control = control(2)
        for second in 0..<3 as Range<Int64> {
            sources[0].fix(second, accuracy: 2)
            sources[1].fix(second, accuracy: 20)
            loop.advanceTime(by: .seconds(1))
        }
        #expect(control.choice.current == control.members[0].id)
        sources[0].reportsSpoofing = true
        sources[0].fix(3, accuracy: 2)
        sources[1].fix(4, accuracy: 20)
        #expect(control.choice.current == control.members[1].id)
        #expect(control.choice.reason == .otherSuspect)
        #expect(record.reasons.last == [])
        // However accurate it claims to be.
        for second in 5..<30 as Range<Int64> {
            sources[0].fix(second, accuracy: 0.1)
            sources[1].fix(second, accuracy: 20)
            loop.advanceTime(by: .seconds(1))
        }
        #expect(control.choice.current == control.members[1].id)
        control.stop()
    }
}
