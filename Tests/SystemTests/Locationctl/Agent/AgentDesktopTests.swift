import CSystemd
import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// The agent on a desktop, with a real session bus.
@Suite(.timeLimit(.minutes(15)), .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon")) struct AgentDesktopTests {
    private func agent(_ runtime: String, _ address: String, _ options: String...) throws -> RunningProgram {
        try RunningProgram(
            Program.path("locationctl"), ["agent", "--notify", "--runtime-directory", runtime] + options,
            environment: ["DBUS_SESSION_BUS_ADDRESS": address])
    }

    /// GNOME Shell hides a notification that is not critical after some seconds.
    @Test(arguments: [("gnome-shell", UInt8(2)), ("Plasma", 1)])
    func aPromptStaysOnTheScreen(program: String, urgency: UInt8) async throws {
        let bus = try await PrivateBus()
        let server = try FakeNotificationServer(on: bus, capabilities: ["actions"], program: program)
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let agent = try agent(daemon.runtime, bus.address)
        try await eventually("the notification") { !server.shown.isEmpty }
        #expect(server.shown[0].urgency == urgency && server.shown[0].timeout == 0)
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    /// Attack: an app that may talk to the notification server, as Flatpaks usually may, replaces the prompt by its id.
    /// The user presses "Later", and the server passes that on.
    @Test(arguments: ["later", "whileUsing", "always"]) func aReplacedPromptAnswersNothing(key: String) async throws {
        let bus = try await PrivateBus()
        let server = try FakeNotificationServer(on: bus, capabilities: ["actions"])
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let agent = try agent(daemon.runtime, bus.address)
        try await eventually("the notification") { !server.shown.isEmpty }
        let app = try bus.open()
        defer { sd_bus_flush_close_unref(app) }
        let id = server.shown[0].id
        FakeNotificationServer.replace(id, on: app, summary: "An update is ready", actions: [key, "Later"])
        #expect(server.shown.map(\.id) == [id, id] && server.shown[1].caller != server.shown[0].caller)
        try await Task.sleep(for: .milliseconds(700))
        server.send(.invoked(id, key))
        try await eventually("the prompt again") { server.shown.count == 3 }
        #expect(server.withdrawn == [id] && server.shown[2].summary == "Tracker would like your location")
        try await server.press("Deny") { !daemon.taken.isEmpty }
        #expect(daemon.taken == [.init(id: 1, answer: .deny)])
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    @Test func aButtonAnswersAndASignalOfAnotherProgramDoesNot() async throws {
        let bus = try await PrivateBus()
        let server = try FakeNotificationServer(on: bus, capabilities: ["body", "actions", "body-markup"])
        var prompt = AgentSamples.prompt(id: 1)
        prompt.description = "<b>you</b> & me"
        let daemon = try await PromptingDaemon([prompt])
        let agent = try agent(daemon.runtime, bus.address)
        try await eventually("the notification") { !server.shown.isEmpty }
        let shown = server.shown[0]
        #expect(shown.summary == "Tracker would like your location")
        #expect(shown.body.contains("&lt;b&gt;you&lt;/b&gt; &amp; me") && !shown.body.contains("<"))
        #expect(
            stride(from: 1, to: 6, by: 2).map { shown.actions[$0] } == ["While in use", "Approximate only", "Deny"])
        #expect(shown.urgency == 1 && shown.timeout == 0, "no alarm, and it stays")
        // Another program of the session sends the signal of a pressed button directly to the agent, past its match
        // rules. The request for a name after that is a call to the bus. Once it is answered, the signal has been
        // passed on.
        let other = try bus.open()
        FakeNotificationServer.send(.invoked(shown.id, shown.key("While in use")), on: other, to: shown.caller)
        #expect(sd_bus_request_name(other, "org.example.Other", 0) >= 0)
        sd_bus_flush_close_unref(other)
        let answered = try await server.press("Approximate only") { !daemon.taken.isEmpty }
        server.send(.closed(answered.id, reason: 2))
        #expect(daemon.taken == [.init(id: 1, answer: .whileUsing, accuracy: .reduced)])
        let count = server.shown.count
        // The second prompt is answered elsewhere, the third one is closed by the user.
        try await daemon.change(to: [AgentSamples.prompt(id: 2)])
        try await eventually("the second notification") { server.shown.count == count + 1 }
        try await daemon.change(to: [AgentSamples.prompt(id: 3)])
        try await eventually("that it is withdrawn") { server.withdrawn.last == server.shown[count].id }
        try await eventually("the third notification") { server.shown.count == count + 2 }
        server.send(.closed(server.shown[count + 1].id, reason: 2))
        try await eventually("the dismissal") { daemon.taken.count == 2 }
        #expect(daemon.taken[1] == .init(id: 3, answer: .dismiss))
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    @Test func aServerWithoutButtonsShowsTheCommand() async throws {
        let bus = try await PrivateBus()
        let server = try FakeNotificationServer(on: bus, capabilities: ["body"])
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 12)])
        let agent = try agent(daemon.runtime, bus.address)
        try await eventually("the notification") { !server.shown.isEmpty }
        #expect(server.shown[0].actions.isEmpty)
        #expect(server.shown[0].body.contains("Answer in a terminal: locationctl answer 12 ANSWER"))
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
        try await eventually("that nothing is left") { server.withdrawn == [server.shown[0].id] }
    }

    @Test func aServerThatIsStartedAgainShowsTheQuestionsAgain() async throws {
        let bus = try await PrivateBus()
        var server: FakeNotificationServer? = try FakeNotificationServer(on: bus, capabilities: ["actions"])
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let agent = try agent(daemon.runtime, bus.address)
        try await eventually("the notification") { server?.shown.isEmpty == false }
        server = nil
        var second: FakeNotificationServer?
        try await eventually("that the name is free") {
            second = try? FakeNotificationServer(on: bus, capabilities: [])
            return second != nil
        }
        try await eventually("the notification of the second server") { second?.shown.count == 1 }
        #expect(second?.shown[0].actions == [], "what it can do was asked again")
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    @Test func theOtherAnswersAreBehindMore() async throws {
        let bus = try await PrivateBus()
        let server = try FakeNotificationServer(on: bus, capabilities: ["actions"])
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 5)])
        let agent = try agent(daemon.runtime, bus.address)
        try await eventually("the notification") { !server.shown.isEmpty }
        server.send(.invoked(server.shown[0].id, server.shown[0].key("More…")))
        server.send(.closed(server.shown[0].id, reason: 2))
        try await eventually("the whole prompt") { server.shown.count == 2 }
        #expect(server.shown[1].actions.contains("Until tomorrow") && server.shown[1].body.contains("Identity: "))
        try await server.press("Approximate, while in use") { !daemon.taken.isEmpty }
        #expect(daemon.taken == [.init(id: 5, answer: .whileUsing, accuracy: .reduced)])
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    @Test func oneAgentOfASessionAsks() async throws {
        let bus = try await PrivateBus()
        let server = try FakeNotificationServer(on: bus, capabilities: ["actions"])
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let first = try agent(daemon.runtime, bus.address)
        try await eventually("the notification") { !server.shown.isEmpty }
        let second = try await agent(daemon.runtime, bus.address).end()
        #expect(second.status == 1 && second.errors.contains("another agent"), "\(second.errors)")
        let started = try await agent(daemon.runtime, bus.address, "--autostart").end()
        #expect(started.status == 0 && started.errors.isEmpty, "\(started.errors)")
        first.signal(SIGTERM)
        #expect(try await first.end().status == 0)
        #expect(server.shown.count == 1)
    }

    @Test func anAgentOfTheSessionWaitsForItsServer() async throws {
        let bus = try await PrivateBus()
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let noBus = try await agent(daemon.runtime, "unix:path=/nonexistent", "--autostart").end()
        #expect(noBus.status == 0 && noBus.errors.isEmpty, "\(noBus.errors)")
        let agent = try agent(daemon.runtime, bus.address, "--autostart")
        let other = try bus.open()
        defer { sd_bus_flush_close_unref(other) }
        // The agent asks for the server after it has the name.
        try await eventually("the agent's name") {
            sd_bus_get_name_creds(other, "io.locationd.Agent", 0, nil) >= 0
        }
        let server = try FakeNotificationServer(on: bus, capabilities: ["actions"])
        try await eventually("the notification") { !server.shown.isEmpty }
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    @Test func withoutADesktop() async throws {
        let bus = try await PrivateBus()
        let daemon = try await PromptingDaemon([])
        let nobody = try await agent(daemon.runtime, bus.address).end()
        #expect(nobody.status == 1)
        #expect(nobody.errors.contains("no notification server answers"), "\(nobody.errors)")
        let noBus = try await agent(daemon.runtime, "unix:path=/nonexistent").end()
        #expect(noBus.status == 1)
        #expect(noBus.errors.contains("cannot connect to the session bus"), "\(noBus.errors)")
    }
}
