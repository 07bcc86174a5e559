import CSystemd
import LocationModel
import LocationProtocol
import TestSupport
import Testing

@testable import LocationctlSupport

/// The agent with Xfce's notification server, which reports each press to all programs on the bus.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(
        if: PrivateBus.isInstalled && XfceNotificationServer.isInstalled,
        "needs dbus-daemon, xfce4-notifyd, xdotool and xvfb"))
struct AgentWithXfceTests {
    private let bus: PrivateBus
    private let server: XfceNotificationServer
    private let daemon: PromptingDaemon
    private let agent: RunningProgram

    init() async throws {
        bus = try await PrivateBus()
        server = try await XfceNotificationServer(on: bus)
        daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        agent = try RunningProgram(
            Program.path("locationctl"), ["agent", "--notify", "--runtime-directory", daemon.runtime],
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    }

    /// Waits until a press counts: within the first moment it is not an answer.
    private func settle() async throws { try await Task.sleep(for: .seconds(ShownPrompts.settlingSeconds)) }

    private func end() async throws {
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    @Test func aClickAnswers() async throws {
        try await eventually("an answer: \(agent.errors)") {
            // No prompt is shown any more while the answer is on its way.
            if try await server.isShowing {
                try await settle()
                try await server.click(.first)
            }
            return !daemon.taken.isEmpty
        }
        #expect(daemon.taken == [.init(id: 1, answer: .whileUsing)])
        try await end()
    }

    /// Attack: an app puts a notification of its own in the place of the prompt, whose only button has a key of an
    /// answer. The press comes from the real server.
    @Test(arguments: ["later", "whileUsing", "always"]) func aReplacedPromptAnswersNothing(key: String) async throws {
        let app = try bus.open()
        defer { sd_bus_flush_close_unref(app) }
        let presses = PressLog()
        var slot: OpaquePointer?
        sd_bus_match_signal(
            app, &slot, nil, FakeNotificationServer.path, FakeNotificationServer.name, "ActionInvoked",
            { message, log, _ in
                var id: UInt32 = 0
                var key: UnsafePointer<CChar>?
                if sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &id) > 0,
                    sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &key) > 0, let key, let log
                {
                    Unmanaged<PressLog>.fromOpaque(log).takeUnretainedValue().keys.append(String(cString: key))
                }
                return 0
            }, Unmanaged.passUnretained(presses).toOpaque())
        defer { sd_bus_slot_unref(slot) }
        try await eventually("the prompt: \(agent.errors)") { try await server.isShowing }
        try await settle()
        // The first notification of a server has the number 1.
        try await eventually("a press: \(agent.errors)") {
            FakeNotificationServer.replace(1, on: app, summary: "An update is ready", actions: [key, "Later"])
            try await server.click(.last)
            while sd_bus_process(app, nil) > 0 {}
            return presses.keys.contains(key)
        }
        // The press has closed the notification. The agent has handled it once it shows a prompt again.
        try await eventually("the prompt again: \(agent.errors)") { try await server.isShowing }
        #expect(daemon.taken == [])
        try await end()
    }
}

/// The keys of the buttons that were pressed.
private final class PressLog {
    var keys: [String] = []
}
