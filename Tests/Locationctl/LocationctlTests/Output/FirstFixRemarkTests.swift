import LocationModel
import LocationProtocol
import Testing

@testable import LocationctlCommands

/// The remark for a user who waits for a first location.
@Suite struct FirstFixRemarkTests {
    private static let advice = ". A receiver that was off for hours needs some minutes, with a clear view of the sky"

    private func receiver(_ name: String, _ state: ReceiverStatus, change: (inout ReceiverSummary) -> Void = { _ in })
        -> ReceiverSummary
    {
        var receiver = ReceiverSummary(name: name, specification: "serial:/dev/ttyUSB0", state: state, fixes: 0)
        change(&receiver)
        return receiver
    }

    @Test func withoutPermissionItSaysThatItTakesTime() {
        #expect(FirstFixRemark.text([]) == "no location yet" + Self.advice)
    }

    @Test func theReceiversSayWhatTheySee() {
        let receivers = [
            receiver("deck", .searching) {
                $0.condition = .noFix
                $0.satellitesInView = 3
            }, receiver("cabin", .lost) { $0.message = "/dev/ttyUSB1 has gone: unplugged" },
            receiver("spare", .resting), receiver("bow", .searching),
        ]
        #expect(
            FirstFixRemark.text(receivers)
                == "no location yet; deck is open: no fix: 3 satellites in view; "
                + "cabin is lost: /dev/ttyUSB1 has gone: unplugged; bow is searching" + Self.advice)
    }
}
