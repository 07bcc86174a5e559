import LocationProtocol
import Testing

@testable import LocationctlSupport

/// The state of location services in a sentence.
@Suite struct ServicesTextTests {
    @Test(arguments: [
        (GetServices.Reply(machine: true, user: true), "on"),
        (GetServices.Reply(machine: true, user: false), "off for this user"),
        (GetServices.Reply(machine: false, user: false), "off for the whole machine"),
        (GetServices.Reply(machine: false, user: false, desktop: false), "off for the whole machine"),
    ])
    func theState(_ reply: GetServices.Reply, _ text: String) {
        #expect(reply.text == text)
    }

    /// `locationctl enable` does not change this switch.
    @Test func theDesktopsSwitch() {
        let reply = GetServices.Reply(machine: true, user: false, desktop: false)
        #expect(reply.text.contains("the desktop's own switch"))
    }
}
