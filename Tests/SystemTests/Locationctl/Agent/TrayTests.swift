import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The agent's item in the tray, on a real session bus with a watcher of the test.
@Suite(.timeLimit(.minutes(15)), .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon")) struct TrayTests {
    private let bus: PrivateBus
    private let server: FakeNotificationServer

    init() async throws {
        bus = try await PrivateBus()
        server = try FakeNotificationServer(on: bus, capabilities: ["actions"])
    }

    private func agent(
        _ runtime: String, _ options: [String] = [], environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(
            Program.path("locationctl"), ["agent", "--notify", "--runtime-directory", runtime] + options,
            environment: environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 })
    }

    private func end(_ agent: RunningProgram) async throws {
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    /// A daemon with preset replies, and an app that uses the location.
    private func presetDaemon(_ answers: [String: PresetDaemon.Answer] = [:]) async throws -> PresetDaemon {
        let key = AppKey(uid: 1000, app: AppIdentity("exe:/opt/tracker")!)
        let use = IndicatorEntry(
            key: key, active: true, background: false, accuracy: .full,
            lastUse: Timestamp("2026-06-01T12:05:00.000Z")!)
        let app = AppSummary(
            key: key, authorization: Authorization(status: .authorizedAlways, accuracy: .full, servicesEnabled: true),
            decision: DecisionSummary(level: .always))
        let usual: [String: PresetDaemon.Answer] = [
            "MonitorPrompts": .endless([MonitorPrompts.Reply(prompts: [])]),
            "GetIndicator": .endless([GetIndicator.Reply(apps: [use])]),
            "ListApps": .replies([ListApps.Reply(apps: [app])]),
            "GetServices": .replies([GetServices.Reply(machine: true, user: true)]),
        ]
        return try await PresetDaemon(usual.merging(answers) { $1 })
    }

    /// The whole way: an app uses the location, the item says so, and clicks reduce, revoke and switch off.
    @Test func clicksReduceRevokeAndSwitchOff() async throws {
        let daemon = try await TestDaemon(receivers: ["fixed:47.123456,8.654321"])
        try await daemon.grantCtl()
        let name = try await daemon.ctlApp()
        let app = try daemon.startCtl("watch")
        try await eventually("a location") { !app.lines.isEmpty }
        let host = try await TrayHost(on: bus)
        let agent = try agent(daemon.runtime)
        let item = try await host.waitForItem()
        try await host.wait(for: "Active", of: item)
        let properties = try await host.properties(of: item)
        #expect(properties["Category"] == .text("SystemServices") && properties["ItemIsMenu"] == .flag(true))
        #expect(properties["Menu"] == .path("/MenuBar") && properties["IconName"] == .text("io.locationd"))
        func summary() async throws -> AppSummary? {
            try await daemon.call(ListApps.self, UserScope()).apps.first { $0.app == name }
        }
        try await host.click("Approximate only", in: item) { $0.properties["toggle-state"] == .signedNumber(0) }
        try await eventually("the reduced accuracy") { try await summary()?.accuracy == .reduced }
        try await host.click("Revoke", in: item)
        try await eventually("the revocation") { try await summary()?.status == .denied }
        #expect(try await app.end().status != 0)
        try await host.wait(for: "Passive", of: item)
        _ = try await host.connection.signal("that it is told") { $0.member == "NewStatus" }
        try await host.click("Location services", in: item)
        try await eventually("the switch") { try await !daemon.call(GetServices.self, UserScope()).user }
        try await host.click("Location services", in: item) { $0.properties["toggle-state"] == .signedNumber(0) }
        try await eventually("the switch") { try await daemon.call(GetServices.self, UserScope()).user }
        // A daemon that is started again is followed again.
        try await daemon.kill()
        try await daemon.start()
        try await eventually("the menu") {
            try await host.menu(of: item).all.contains { $0.label == "Location services" }
        }
        #expect(host.registered == [item])
        try await end(agent)
    }

    @Test func aHostThatComesLaterOrAgainGetsTheItem() async throws {
        let daemon = try await presetDaemon()
        let agent = try agent(daemon.runtime)
        try await eventually("the agent") { !daemon.asked("MonitorPrompts").isEmpty }
        var host: TrayHost? = try await TrayHost(on: bus)
        let item = try await host?.waitForItem()
        host = nil
        var second: TrayHost?
        try await eventually("that the name is free") {
            second = try? await TrayHost(on: bus)
            return second != nil
        }
        #expect(try await second?.waitForItem() == item)
        try await second?.wait(for: "Active", of: item ?? "")
        try await end(agent)
    }

    /// On a desktop without a tray, and with `--no-tray`, the daemon is not asked who looks.
    @Test(arguments: [false, true]) func withoutATrayNothingIsAsked(isLeftOut: Bool) async throws {
        let daemon = try await presetDaemon(
            ["MonitorPrompts": .endless([MonitorPrompts.Reply(prompts: [AgentSamples.prompt(id: 1)])])])
        let host = isLeftOut ? try await TrayHost(on: bus) : nil
        let agent = try agent(daemon.runtime, isLeftOut ? ["--no-tray"] : [])
        try await eventually("the notification") { !server.shown.isEmpty }
        try await server.press("Deny") { !daemon.asked("AnswerPrompt").isEmpty }
        #expect(daemon.asked("GetIndicator").isEmpty && daemon.asked("ListApps").isEmpty)
        try host?.connection.receive()
        #expect(host?.registered ?? [] == [])
        try await end(agent)
    }

    /// There is no item if the daemon refuses to list the apps because polkit would have to ask for a password.
    @Test func aRefusalLeavesNoItemAndNoPassword() async throws {
        let refusal = VarlinkError(
            "io.locationd.Manage.NotAuthorized", parameters: ["action": "answer", "reason": "authenticationNeeded"])
        let daemon = try await presetDaemon(["GetIndicator": .error(refusal)])
        let agent = try agent(daemon.runtime, ["--autostart"])
        var hosts: [TrayHost] = []
        for count in 1...2 {
            try await eventually("a host") {
                guard let host = try? await TrayHost(on: bus) else { return false }
                hosts.append(host)
                return true
            }
            try await eventually("the question") { daemon.asked("GetIndicator").count == count }
            let last = hosts.removeLast()
            try last.connection.receive()
            #expect(last.registered.isEmpty)
        }
        for method in ["GetIndicator", "MonitorPrompts"] {
            for call in daemon.asked(method) { #expect(call["allowInteractiveAuthentication"] == false, "\(method)") }
        }
        try await end(agent)
    }

    /// A click may ask for the password. A refusal is a notification that says what to do.
    @Test func aRefusedClickIsANotification() async throws {
        let refusal = VarlinkError(
            "io.locationd.Manage.NotAuthorized", parameters: ["action": "manage", "reason": "refused"])
        let daemon = try await presetDaemon(["Revoke": .error(refusal)])
        let host = try await TrayHost(on: bus)
        let agent = try agent(daemon.runtime)
        let item = try await host.waitForItem()
        try await host.click("Revoke", below: "exe:/opt/tracker", in: item)
        try await eventually("the notification") { !server.shown.isEmpty }
        #expect(server.shown[0].summary == "The change was not made")
        #expect(server.shown[0].body.contains("usermod -aG locationd"), "\(server.shown)")
        #expect(daemon.asked("Revoke") == [["app": "exe:/opt/tracker", "uid": 1000]])
        for method in ["GetIndicator", "ListApps", "GetServices"] {
            for call in daemon.asked(method) { #expect(call["allowInteractiveAuthentication"] == false, "\(method)") }
        }
        try await end(agent)
    }

    @Test func theDashboardIsOpenedInATerminal() async throws {
        let folder = try TemporaryFolder()
        try folder.write("#!/bin/sh\necho \"$0 $*\" >>\"\(folder.path)/log\"\nexit 1\n", to: "xdg-terminal-exec")
        chmod(folder.path + "/xdg-terminal-exec", 0o755)
        let daemon = try await presetDaemon()
        let host = try await TrayHost(on: bus)
        let agent = try agent(daemon.runtime, environment: ["PATH": folder.path + ":/usr/bin:/bin"])
        let item = try await host.waitForItem()
        try await host.click("Open the dashboard", in: item)
        let log = folder.path + "/log"
        try await eventually("the terminal") {
            (try? String(contentsOfFile: log, encoding: .utf8))?.hasSuffix("\n") == true
        }
        let command = try String(contentsOfFile: log, encoding: .utf8)
        #expect(
            command == "\(folder.path)/xdg-terminal-exec \(Program.path("locationctl")) dashboard "
                + "--runtime-directory \(daemon.runtime)\n")
        // It could not open one.
        try await eventually("the notification") { !server.shown.isEmpty }
        #expect(server.shown[0].body.contains("locationctl dashboard"))
        let children = "/proc/\(agent.processIdentifier)/task/\(agent.processIdentifier)/children"
        #expect(try String(contentsOfFile: children, encoding: .utf8).isEmpty, "it was waited for")
        try await end(agent)
    }

    /// Attack: a watcher that never answers, calls that make no sense, and a flood of clicks.
    @Test func hostileHosts() async throws {
        let daemon = try await presetDaemon(["Revoke": .endless([])])
        let host = try await TrayHost(on: bus, isSilent: true)
        let agent = try agent(daemon.runtime)
        let item = try await host.waitForItem()
        let long = BusValue.text(String(repeating: "x", count: 10_000))
        let wrong: [(String, [BusValue])] = [
            ("Event", [.text("x")]),
            ("Event", [.signedNumber(.max), .text("clicked"), .variant(.list([])), .number(0)]),
            ("Event", [.signedNumber(-1), long, .variant(.flag(true)), .number(0)]),
            ("GetLayout", [.signedNumber(.min), .signedNumber(.min), .list([])]),
            ("GetLayout", [.signedNumber(0), .signedNumber(.max), .list(Array(repeating: long, count: 300))]),
            ("GetProperty", [.signedNumber(0), .text("")]), ("AboutToShow", [.signedNumber(77)]), ("AboutToShow", []),
            ("Nonsense", [.dictionary(["a": .text("b")])]), ("EventGroup", [.list([.text("a")])]),
        ]
        for (member, arguments) in wrong {
            await #expect(throws: BusError.self, "\(member)") { try await host.call(item, member, arguments) }
        }
        try await host.click("Revoke", in: item)
        try await eventually("the call") { !daemon.asked("Revoke").isEmpty }
        let menu = try await host.menu(of: item)
        for _ in 0..<200 {
            for entry in menu.all where entry.label != "Open the dashboard" {
                try await host.call(
                    item, "Event", [.signedNumber(entry.number), .text("clicked"), .variant(.text("")), .number(.max)])
            }
        }
        #expect(daemon.asked("Revoke").count == 1)
        #expect(daemon.asked("Grant").isEmpty && daemon.asked("SetServices").isEmpty)
        #expect(try await host.properties(of: item)["Status"] == .text("Active"))
        try await end(agent)
    }
}
