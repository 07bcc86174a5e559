import CSystemd
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// The agent with dunst, a notification server by others.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: PrivateBus.isInstalled && DunstServer.isInstalled, "needs dbus-daemon, dunst and xvfb"))
struct AgentWithDunstTests {
    private let bus: PrivateBus
    private let server: DunstServer
    private let daemon: PromptingDaemon
    private let agent: RunningProgram

    init() async throws {
        bus = try await PrivateBus()
        server = try await DunstServer(on: bus)
        daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        agent = try RunningProgram(
            Program.path("locationctl"), ["agent", "--notify", "--runtime-directory", daemon.runtime],
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    }

    /// Waits for the prompt. Returns the number of its notification.
    private func shownID() async throws -> UInt32 {
        var entry: String?
        try await eventually("the prompt: \(agent.errors)") {
            entry = try await server.menu().first { $0.contains("#Deny (Tracker would like your location)") }
            return entry != nil
        }
        let id = entry?.split(separator: "[").last?.prefix { $0 != "," }
        return try #require(id.flatMap { UInt32($0) })
    }

    private func end() async throws {
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    @Test func aButtonAnswers() async throws {
        _ = try await shownID()
        // A press within the first moment is not an answer, and the prompt is shown again.
        try await eventually("an answer: \(agent.errors)") {
            try await server.choose("#While in use")
            return !daemon.taken.isEmpty
        }
        #expect(daemon.taken == [.init(id: 1, answer: .whileUsing)])
        try await end()
    }

    /// Attack: an app puts a notification of its own in the place of the prompt, with a button that grants.
    @Test(arguments: ["later", "whileUsing", "always"]) func aReplacedPromptAnswersNothing(key: String) async throws {
        let id = try await shownID()
        let app = try bus.open()
        defer { sd_bus_flush_close_unref(app) }
        FakeNotificationServer.replace(id, on: app, summary: "An update is ready", actions: [key, "Later"])
        try await Task.sleep(for: .milliseconds(700))
        let menu = try await server.choose("#Later (An update is ready) [\(id),\(key)]")
        #expect(menu == ["#Later (An update is ready) [\(id),\(key)]"])
        // The agent has handled all earlier signals once it answers a call with another notification.
        try await daemon.change(to: [AgentSamples.prompt(id: 1), AgentSamples.prompt(id: 2)])
        try await eventually("the next prompt: \(agent.errors)") {
            try await server.menu().contains { $0.hasPrefix("#Deny") }
        }
        #expect(daemon.taken == [])
        try await end()
    }
}
