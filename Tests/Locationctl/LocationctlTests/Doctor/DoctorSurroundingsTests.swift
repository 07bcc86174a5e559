import LocationProtocol
import LocationctlSupport
import Testing

@testable import MachineDoctor

/// The findings of the doctor about the radio surroundings.
@Suite struct DoctorSurroundingsTests {
    private func findings(_ reason: String?, _ stillness: StillnessReport? = nil) -> [Finding] {
        var facts = DoctorSamples.healthy
        facts.service.surroundings = reason
        var receiver = ReceiverSummary(name: "deck", specification: "usb:A5", state: .resting, fixes: 3)
        receiver.stillness = stillness
        facts.service.receivers = [receiver]
        return SurroundingsCheck.findings(in: facts)
    }

    @Test func nothingIsSaidOfAMachineThatMoves() {
        #expect(findings(nil).isEmpty)
    }

    @Test func theReasonIsGivenIfTheyAreNotUsed() {
        let findings = findings("NetworkManager is not running, and the kernel has no wireless interface")
        #expect(findings.map(\.verdict) == [.note])
        #expect(findings[0].what.contains("the kernel has no wireless interface"))
    }

    @Test func aClosedReceiverIsExplained() {
        let findings = findings(nil, StillnessReport(networks: 6, seconds: 2040, nextCheck: 1560))
        #expect(
            findings == [
                .ok(
                    """
                    receivers are closed, because the machine is still, by 6 networks: off for 34 min, next check in \
                    26 min
                    """)
            ])
    }

    @Test func theListOfReceiversSaysIt() {
        var receiver = ReceiverSummary(name: "deck", specification: "usb:A5", state: .resting, fixes: 3)
        receiver.stillness = StillnessReport(networks: 1, seconds: 60, nextCheck: 7200)
        #expect(ReceiverText.reason(receiver) == "still, by 1 network: off for 60 s, next check in 2 h")
        #expect(ReceiverTable.text([receiver], on: .pipe).contains("still, by 1 network"))
    }
}
