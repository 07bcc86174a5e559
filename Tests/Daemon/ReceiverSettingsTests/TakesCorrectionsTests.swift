import NIOCore
import Testing

@testable import ReceiverSettings

/// Which receivers get corrections.
@Suite struct TakesCorrectionsTests {
    @Test(
        arguments: [
            (ReceiverProfile.Dialect.ublox, "ZED-F9P", "HPG 1.32", true), (.ublox, "ZED-F9R", "HPS 1.30", true),
            (.ublox, "NEO-M8P-2", "HPG 1.43", true), (.ublox, "ZED-X20P", "HPG 2.00", true),
            (.ublox, "ZED-F9T", "TIM 2.20", true), (.ublox, nil, "HPG 1.12", true),
            (.ublox, "MAX-M10S", "SPG 5.10", false),
            (.ublox, "NEO-M9N", "SPG 4.04", false), (.ublox, nil, "EXT CORE 3.01", false), (.ublox, nil, nil, false),
            (.airoha, "LC29HD", "LC29HDANR11A03S_RSA", true), (.airoha, "LC29HE", "LC29HEANR11A03S", true),
            (.airoha, "LC29HA", "LC29HAANR01A03S", false), (.airoha, nil, "AG3335M_V2.5.0", false),
            (.mtk, nil, "AXN_5.1.7", false), (.casic, nil, "HPG ", false), (.stm, nil, "x", false),
            (.skytraq, nil, "HPG ", false), (.auto, nil, "HPG ", false),
            (.quectel, "LG290P", "LG290P03AANR01A03S", true), (.quectel, "LG580P", "LG580P03AANR01A03S", false),
        ] as [(ReceiverProfile.Dialect, String?, String?, Bool)])
    func receivers(dialect: ReceiverProfile.Dialect, model: String?, firmware: String?, isTaking: Bool) {
        let identity = ReceiverIdentity(dialect, maker: "x", model: model, firmware: firmware)
        #expect(identity.takesCorrections == isTaking)
    }

    /// A module without PAIR is asked who it is, and nothing else is written to it.
    @Test(arguments: [ReceiverProfile.Dialect.auto, .quectel])
    func anLG290PSaysWhoItIs(dialect: ReceiverProfile.Dialect) {
        let now = NIODeadline.uptimeNanoseconds(0)
        var machine = ReceiverSettingsStateMachine(
            ReceiverProfile(dialect, interval: .fixed(milliseconds: 200), standsBy: true))
        _ = machine.opened(isUSB: false, at: now)
        _ = machine.baudRateDetected(capacity: 46_080, at: now)
        var actions: [ReceiverSettingsStateMachine.Action] = []
        let question = ReceiverSettingsStateMachine.Action.write(ReceiverMessage.sentence(["PQTMVERNO"]).frame)
        while let deadline = machine.deadline, !actions.contains(where: { Self.contains($0, question) }) {
            actions += machine.wake(at: deadline)
        }
        #expect(machine.receive(.sentence(["PQTMVERNO", "LG290P03AANR01A03S", "2024/10/09"]), at: now).isEmpty)
        #expect(machine.identity?.model == "LG290P" && machine.takesCorrections)
        #expect(machine.close(toStandby: true, hasFix: true, at: now).isEmpty)
    }

    private static func contains(
        _ action: ReceiverSettingsStateMachine.Action, _ question: ReceiverSettingsStateMachine.Action
    ) -> Bool {
        guard case .write(let bytes) = action, case .write(let asked) = question else { return false }
        return String(decoding: bytes, as: UTF8.self).contains(String(decoding: asked, as: UTF8.self))
    }

    /// A UM98x or a Septentrio cannot be asked in any known protocol: its owner says so, and it is asked nothing.
    @Test func theOwnersWordNeedsNoQuestion() {
        let now = NIODeadline.uptimeNanoseconds(0)
        var machine = ReceiverSettingsStateMachine(ReceiverProfile(nil, takesCorrections: true))
        #expect(machine.opened(isUSB: false, at: now).isEmpty && !machine.takesCorrections)
        #expect(machine.baudRateDetected(capacity: 11_520, at: now).isEmpty && machine.takesCorrections)
        #expect(machine.deadline == nil && !machine.isListening && machine.settings.isEmpty)
        machine.baudRateLost()
        #expect(!machine.takesCorrections)
    }

    @Test func theOwnersNoCountsToo() {
        let now = NIODeadline.uptimeNanoseconds(0)
        var machine = ReceiverSettingsStateMachine(ReceiverProfile(.airoha, takesCorrections: false))
        _ = machine.opened(isUSB: false, at: now)
        _ = machine.baudRateDetected(capacity: 46_080, at: now)
        _ = machine.receive(.sentence(["PQTMVERNO", "LC29HDANR11A03S_RSA", "x"]), at: now)
        #expect(machine.identity?.takesCorrections == true && !machine.takesCorrections)
    }
}
