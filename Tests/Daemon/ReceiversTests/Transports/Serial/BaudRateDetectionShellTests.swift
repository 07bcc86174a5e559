import LocationModel
import NIOCore
import NIOEmbedded
import Testing

@testable import Receivers

/// Baud-rate detection on a port, in a time that the test controls.
struct BaudRateDetectionShellTests {
    private final class Memory: SerialSettingsMemory {
        private(set) var remembered: SerialSettings?

        func settings(ofDevice device: String) -> SerialSettings? { remembered }

        func remember(_ settings: SerialSettings, ofDevice device: String) { remembered = settings }
    }

    private let loop = EmbeddedEventLoop()
    private let memory = Memory()
    private let sentences = Array("$GPTXT,01,01,02,ready*4C\r\n$GPTXT,01,01,02,ready*4C\r\n".utf8)

    private func openedDetection(_ onAction: @escaping (BaudRateStateMachine.Action) -> Void) -> BaudRateDetection {
        let line = BaudRateDetection(path: "/dev/ttyUSB0", given: nil, device: "dongle", memory: memory, on: loop)
        line.onAction = onAction
        line.open()
        return line
    }

    /// A receiver at 9600 baud, behind an adapter that delivers bytes it read before the change to another speed.
    @Test func sentencesThatWereReadBeforeAChangeAreNeitherSettledOnNorRemembered() {
        var actions: [BaudRateStateMachine.Action] = []
        let line = openedDetection { actions.append($0) }
        loop.advanceTime(by: BaudRateStateMachine.dwell)
        #expect(actions == [.use(SerialSettings(4800))])
        loop.advanceTime(by: .milliseconds(20))
        #expect(line.receive(sentences.span.bytes, sentences: 2) == nil)
        #expect(line.isLooking)
        #expect(memory.remembered == nil)
        loop.advanceTime(by: .milliseconds(20))
        #expect(actions.last == .dropUnread)
        #expect(line.receive(sentences.span.bytes, sentences: 2) == .settle(SerialSettings(4800)))
        #expect(memory.remembered == SerialSettings(4800))
    }

    @Test func theFailureOfSilenceNamesTheSpeedsTried() {
        let line = openedDetection { _ in }
        loop.advanceTime(by: .seconds(5))
        let failure = line.silence(seconds: 5, ReceiverDiagnosis(.nothing))
        #expect(failure.reason == .silent)
        #expect(
            failure.message == """
                /dev/ttyUSB0 has sent nothing for 5 s at 4800, 9600, 38400, 115200 baud: is the receiver switched on?
                """)
        line.close()
    }

    @Test func aClosedPortCausesNoActions() {
        var actions: [BaudRateStateMachine.Action] = []
        let line = openedDetection { actions.append($0) }
        line.close()
        loop.advanceTime(by: .seconds(60))
        #expect(actions == [])
    }
}
