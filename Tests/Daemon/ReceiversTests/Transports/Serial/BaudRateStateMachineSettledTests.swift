import NIOCore
import Testing

@testable import Receivers

/// The detector after it has settled, and after the port was closed in between.
struct BaudRateStateMachineSettledTests {
    private let sentence = Array("$GPTXT,01,01,02,ready*4C\r\n".utf8)

    private func seconds(_ value: Double) -> NIODeadline { .uptimeNanoseconds(UInt64(value * 1e9)) }

    /// Returns the action that garbage at 480 bytes per second leads to. No speed is too slow for that rate.
    private func garble(_ detector: inout BaudRateStateMachine, from start: Double) -> BaudRateStateMachine.Action? {
        for moment in stride(from: start, to: start + 0.2, by: 0.02) {
            let garbage = [UInt8](repeating: 0x98, count: 9)
            let action = detector.receive(garbage.span.bytes, sentences: 0, at: seconds(moment))
            if let action, action != .dropUnread { return action }
        }
        return nil
    }

    /// Returns a detector that settled on 4800 baud at 10 s.
    private func settled() -> BaudRateStateMachine {
        var detector = BaudRateStateMachine(known: SerialSettings(4800), at: seconds(9))
        #expect(detector.receive(sentence.span.bytes, sentences: 1, at: seconds(10)) == .settle(SerialSettings(4800)))
        #expect(detector.deadline == nil)
        return detector
    }

    @Test func garbageRestartsDetectionAfterAWhile() {
        var detector = settled()
        let garbage = [UInt8](repeating: 0x98, count: 200)
        for second in [11, 12, 13.9] {
            #expect(detector.receive(garbage.span.bytes, sentences: 0, at: seconds(second)) == nil)
        }
        #expect(detector.receive(garbage.span.bytes, sentences: 0, at: seconds(14)) == .use(SerialSettings(4800)))
        #expect(detector.isLooking)
        #expect(detector.triedSpeeds == [4800])
        #expect(garble(&detector, from: 14.1) == .use(SerialSettings(9600)))
    }

    @Test func aSentenceAmongBinaryMessagesKeepsTheSettingsAndSoDoFewBytes() {
        var detector = settled()
        let binary = [UInt8](repeating: 0x98, count: 3000)
        for second in 11..<40 {
            #expect(detector.receive(binary.span.bytes, sentences: 0, at: seconds(Double(second))) == nil)
            #expect(detector.receive(sentence.span.bytes, sentences: 1, at: seconds(Double(second) + 0.5)) == nil)
        }
        let noise: [UInt8] = [0, 0xFF, 0]
        for second in 40..<200 {
            #expect(detector.receive(noise.span.bytes, sentences: 0, at: seconds(Double(second))) == nil)
        }
        #expect(!detector.isLooking)
    }

    @Test func afterClosingWhatWasFoundIsTriedFirst() {
        var detector = settled()
        detector.reopen(at: seconds(20))
        #expect(detector.isLooking)
        #expect(detector.settings == SerialSettings(4800))
        #expect(detector.deadline == seconds(24))
    }

    @Test func afterClosingASearchGoesOnWhereItWas() {
        var detector = BaudRateStateMachine(known: nil, at: seconds(0))
        #expect(garble(&detector, from: 1) == .use(SerialSettings(4800)))
        #expect(garble(&detector, from: 1.1) == .use(SerialSettings(38_400)))
        detector.reopen(at: seconds(9))
        #expect(detector.settings == SerialSettings(38_400))
        #expect(detector.triedSpeeds == [4800, 9600, 38_400])
        #expect(garble(&detector, from: 9.1) == .use(SerialSettings(115_200)))
    }

    /// The adapter read these bytes with the earlier settings, so they say nothing about the new ones.
    @Test func bytesThatAnAdapterStillHeldFromBeforeAChangeCountForNothing() {
        var detector = BaudRateStateMachine(known: nil, at: seconds(0))
        let (garbage, half) = ([UInt8](repeating: 0x98, count: 32), [UInt8](repeating: 0x98, count: 16))
        #expect(detector.receive(garbage.span.bytes, sentences: 0, at: seconds(0.1)) == nil)
        #expect(detector.receive(half.span.bytes, sentences: 0, at: seconds(0.14)) == .use(SerialSettings(4800)))
        #expect(detector.deadline == seconds(0.18))
        #expect(detector.receive(garbage.span.bytes, sentences: 0, at: seconds(0.15)) == nil)
        #expect(detector.receive((sentence + sentence).span.bytes, sentences: 2, at: seconds(0.179)) == nil)
        // Nor do the bytes that were waiting to be read when the time was over. They are dropped together with these.
        #expect(detector.receive((sentence + sentence).span.bytes, sentences: 2, at: seconds(0.182)) == .dropUnread)
        #expect(detector.wake(at: seconds(0.232)) == nil)
        // The settings may be right, because sentences arrived. A receiver that sends once a minute is waited for.
        #expect(detector.deadline == seconds(0.182 + 90))
        #expect(
            detector.receive((sentence + sentence).span.bytes, sentences: 2, at: seconds(60))
                == .settle(SerialSettings(4800)))
    }

    @Test func aLineThatIsFasterThanItsSpeedIsGivenTheTimeToTheEndOfTheBurst() {
        var detector = BaudRateStateMachine(known: nil, at: seconds(0))
        let garbage = [UInt8](repeating: 0x98, count: 500)
        #expect(detector.receive(garbage.span.bytes, sentences: 0, at: seconds(1)) == nil)
        #expect(detector.receive(sentence.span.bytes, sentences: 1, at: seconds(1.001)) == nil)
        #expect(
            detector.receive(sentence.span.bytes, sentences: 1, at: seconds(1.002)) == .settle(SerialSettings(9600)))

        detector = BaudRateStateMachine(known: nil, at: seconds(0))
        #expect(detector.receive(garbage.span.bytes, sentences: 0, at: seconds(1)) == nil)
        #expect(detector.deadline == seconds(1.05))
        #expect(detector.wake(at: seconds(1.05)) == .use(SerialSettings(4800)))
    }
}
