import NIOCore
import Testing

@testable import ReceiverSettings

/// The messages of receivers that compute with corrections.
@Suite struct CorrectionReportsTests {
    typealias Personality = EmulatedReceiver.Personality

    private func port(
        _ personality: Personality, firmware: String = "HPG 1.43", sendsUBX: Bool = false
    ) -> Conversation {
        let port = Conversation(ReceiverProfile(personality.dialect, sendsUBX: sendsUBX), with: personality)
        port.receiver.firmware = firmware
        return port
    }

    /// Returns whether a receiver sends the message.
    private func sends(_ port: Conversation, _ kind: UInt16, _ key: Int) -> Bool {
        port.receiver.personality == .m8 ? (port.receiver.rates[kind] ?? 0) == 1 : port.receiver.keys[key] == 1
    }

    @Test(arguments: [Personality.m8, .m10])
    func theReceiverReportsWhileItGetsCorrections(personality: Personality) {
        let port = port(personality)
        port.open()
        #expect(port.machine.settings.isEmpty && !sends(port, 0x02_32, 0x2091_0269))
        port.reportCorrections()
        #expect(
            port.outcome(.corrections)
                == ReceiverSetting(
                    name: .corrections, before: "", wanted: "rxm-rtcm", now: "rxm-rtcm", outcome: .applied))
        #expect(sends(port, 0x02_32, 0x2091_0269))
        port.close()
        #expect(!sends(port, 0x02_32, 0x2091_0269))
    }

    @Test func theKeyOfUSBIsAnotherOne() {
        let port = port(.m10)
        port.receiver.keys[0x2091_026B] = 0
        port.open(isUSB: true)
        port.reportCorrections()
        #expect(port.receiver.keys[0x2091_026B] == 1 && port.receiver.keys[0x2091_0269] == 0)
    }

    @Test func aRefusalCostsNothingElse() {
        let port = port(.m10, sendsUBX: true)
        port.receiver.keys[0x2091_0269] = nil
        port.open()
        port.reportCorrections()
        #expect(port.outcome(.corrections)?.outcome == .refused && port.outcome(.messages)?.outcome == .applied)
        #expect(port.receiver.keys[0x2091_0007] == 1)
    }

    @Test(arguments: [Personality.mt3333, .ag3335, .at6558, .teseo, .venus])
    func otherDialectsHaveNoReports(personality: Personality) {
        let port = port(personality)
        port.open()
        let count = port.written.count
        port.reportCorrections()
        #expect(port.written.count == count && port.machine.settings.isEmpty)
    }

    @Test(arguments: [Personality.m8, .m10], [false, true])
    func itReportsAgainAfterALossOfPower(personality: Personality, beginsMeanwhile: Bool) {
        let port = port(personality)
        port.open()
        if !beginsMeanwhile { port.reportCorrections() }
        port.pass(.seconds(10))
        port.receiver.losePower()
        #expect(!sends(port, 0x02_32, 0x2091_0269))
        port.receive(port.receiver.startText ?? [])
        if beginsMeanwhile { port.reportCorrections() }
        port.settle()
        #expect(sends(port, 0x02_32, 0x2091_0269))
        port.close()
        #expect(!sends(port, 0x02_32, 0x2091_0269))
    }

    @Test func aClosedPortIsNotAsked() {
        let port = port(.m10)
        port.open()
        port.close()
        let count = port.written.count
        port.reportCorrections()
        #expect(port.written.count == count)
    }

    @Test(arguments: [Personality.m8, .m10])
    func positionsHaveFurtherDigits(personality: Personality) {
        let port = port(personality, sendsUBX: true)
        port.open()
        #expect(port.outcome(.messages)?.outcome == .applied && sends(port, 0x01_14, 0x2091_0034))
        port.close()
        #expect(!sends(port, 0x01_14, 0x2091_0034))
        let other = self.port(personality, firmware: "SPG 5.10", sendsUBX: true)
        other.open()
        #expect(other.outcome(.messages)?.outcome == .applied && !sends(other, 0x01_14, 0x2091_0034))
    }

    /// Receivers whose software lacks the message keep the others.
    @Test func withoutFurtherDigitsThePositionsAreSent() {
        let port = port(.m10, sendsUBX: true)
        port.receiver.keys[0x2091_0034] = nil
        port.open()
        #expect(port.receiver.keys[0x2091_0007] == 1 && port.receiver.keys[0x1074_0002] == 0)
    }
}
