import Foundation
import JSON
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// The apps on the page of GNOME's settings: the agent with a daemon and the desktop's own permission store.
@Suite(.timeLimit(.minutes(15)), .enabled(if: PermissionStore.isInstalled, "needs xdg-desktop-portal"))
struct PermissionStoreTests {
    private static let map = "org.example.Map"
    private static let game = "org.example.Game"

    private let bus: PrivateBus
    private let server: FakeNotificationServer
    private let daemon: TestDaemon
    /// The user's data folder, with the desktop files.
    private let data: TemporaryFolder

    init() async throws {
        bus = try await PrivateBus()
        server = try FakeNotificationServer(on: bus, capabilities: ["actions"])
        daemon = try await TestDaemon(receivers: [])
        data = try TemporaryFolder()
        for app in [Self.map, Self.game, "org.example.Both"] { try addDesktopFile(of: app, to: "applications") }
        try addDesktopFile(of: "org.example.Both", to: "exports/share/applications")
    }

    private func addDesktopFile(of app: String, to folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: "\(data.path)/\(folder)", withIntermediateDirectories: true)
        try data.write("[Desktop Entry]\nType=Application\nName=\(app)\nExec=true\n", to: "\(folder)/\(app).desktop")
    }

    private func agent() throws -> RunningProgram {
        try RunningProgram(
            Program.path("locationctl"), ["agent", "--notify", "--no-tray", "--runtime-directory", daemon.runtime],
            environment: [
                "DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_DATA_HOME": data.path,
                "XDG_DATA_DIRS": "\(data.path)/exports/share",
            ])
    }

    private func end(_ agent: RunningProgram) async throws {
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    private func ctl(_ arguments: String...) async throws {
        let result = try await Program.run(
            Program.path("locationctl"), arguments, environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime])
        try #require(result.status == 0, "\(result.errors)")
    }

    private func app(_ id: String) async throws -> AppSummary? {
        try await daemon.call(ListApps.self, UserScope()).apps.first { $0.app == "app:\(id)" }
    }

    private func waitForStatus(_ status: AuthorizationStatus, of id: String) async throws {
        try await eventually("\(id) to be \(status)") { try await app(id)?.decided == status }
    }

    private func texts(_ level: String) -> [String] { [level, "0", "locationd:\(level)"] }

    @Test func decisionsAreEntriesAndSwitchesRevoke() async throws {
        let store = try await PermissionStore(on: bus)
        try await store.write(["EXACT", "5"], of: "org.flatpak.App")
        try await store.write(["NONE", "6"], of: "org.example.Both")
        for app in [Self.map, "org.example.Both", "org.example.WithoutFile"] { try await ctl("grant", "app:\(app)") }
        try await ctl("grant", "app:\(Self.game)", "--reduced")
        let agent = try agent()
        try await store.wait(for: texts("LOCATIOND"), of: Self.map)
        try await store.wait(for: texts("LOCATIOND"), of: Self.game)
        try await ctl("deny", "app:\(Self.game)")
        try await store.wait(for: texts("NONE"), of: Self.game)
        // The user switches an app off.
        try await store.switchApp(Self.map, on: false)
        try await waitForStatus(.denied, of: Self.map)
        try await store.wait(for: texts("NONE"), of: Self.map)
        try await ctl("reset", "app:\(Self.game)")
        try await store.wait(for: nil, of: Self.game)
        // Flatpaks' entries are the portal's: also one with the ID of another app.
        let entries = try await store.entries()
        #expect(entries.keys.sorted() == ["org.example.Both", Self.map, "org.flatpak.App"])
        #expect(entries["org.flatpak.App"] == ["EXACT", "5"] && entries["org.example.Both"] == ["NONE", "6"])
        #expect(try await app("org.example.Both")?.decided.isAuthorized == true)
        try await end(agent)
        // The agent's entries go with it.
        #expect(try await store.entries().keys.sorted() == ["org.example.Both", "org.flatpak.App"])
    }

    /// A switch to on has the app's next request prompt. It grants nothing.
    @Test func aSwitchToOnIsNoGrant() async throws {
        let store = try await PermissionStore(on: bus)
        try await ctl("deny", "app:\(Self.map)")
        let agent = try agent()
        try await store.wait(for: texts("NONE"), of: Self.map)
        try await store.switchApp(Self.map, on: true)
        try await store.wait(for: nil, of: Self.map)
        #expect(try await app(Self.map)?.decision == nil)
        try await end(agent)
    }

    /// Attack: a Flatpak that is not installed at the moment has the ID of an app. The portal's entry about it is kept,
    /// though the switch on the page still revokes.
    @Test func anEntryOfThePortalIsKept() async throws {
        let store = try await PermissionStore(on: bus)
        try await store.write(["EXACT", "5"], of: Self.map)
        for app in [Self.map, Self.game] { try await ctl("grant", "app:\(app)") }
        let agent = try agent()
        try await store.wait(for: texts("LOCATIOND"), of: Self.game)
        #expect(try await store.entries()[Self.map] == ["EXACT", "5"])
        try await store.switchApp(Self.map, on: false)
        try await waitForStatus(.denied, of: Self.map)
        try await end(agent)
        #expect(try await store.entries() == [Self.map: ["NONE", "5"]])
    }

    /// Attack: a program of the session writes EXACT, with and without the agent's text.
    @Test func aHostileProgramGetsNothing() async throws {
        let store = try await PermissionStore(on: bus)
        try await ctl("grant", "app:\(Self.map)", "--reduced")
        try await ctl("deny", "app:\(Self.game)")
        let agent = try agent()
        try await store.wait(for: texts("LOCATIOND"), of: Self.map)
        try await store.wait(for: texts("NONE"), of: Self.game)
        for forged in [["EXACT", "0"], ["EXACT", "0", "locationd:EXACT"], ["EXACT", "0", "locationd:NONE"]] {
            try await store.write(forged, of: Self.map)
            try await store.wait(for: texts("LOCATIOND"), of: Self.map)
            #expect(try await app(Self.map)?.accuracy == .reduced)
        }
        try await store.write(["EXACT", "0", "locationd:EXACT"], of: Self.game)
        try await store.wait(for: texts("NONE"), of: Self.game)
        #expect(try await app(Self.game)?.decided == .denied)
        try await end(agent)
    }

    /// GNOME's page writes the whole table as it has read it, while the agent writes to it.
    @Test func aPageThatWritesMeanwhile() async throws {
        let store = try await PermissionStore(on: bus)
        try await ctl("grant", "app:\(Self.game)")
        let agent = try agent()
        try await store.wait(for: texts("LOCATIOND"), of: Self.game)
        let seen = try await store.entries()
        try await ctl("grant", "app:\(Self.map)")
        try await store.wait(for: texts("LOCATIOND"), of: Self.map)
        try await store.switchApp(Self.game, on: false, in: seen)
        try await waitForStatus(.denied, of: Self.game)
        try await store.wait(for: texts("LOCATIOND"), of: Self.map)
        #expect(try await app(Self.map)?.decided.isAuthorized == true)
        try await end(agent)
    }

    /// An agent that is killed leaves its entries.
    @Test func aSwitchWhileNoAgentIsRunning() async throws {
        let store = try await PermissionStore(on: bus)
        try await ctl("grant", "app:\(Self.map)")
        let first = try agent()
        try await store.wait(for: texts("LOCATIOND"), of: Self.map)
        first.signal(SIGKILL)
        _ = try await first.end()
        try await store.switchApp(Self.map, on: false)
        let second = try agent()
        try await waitForStatus(.denied, of: Self.map)
        try await end(second)
    }

    /// The agent starts no store, and asks the daemon for nothing while there is none.
    @Test func aStoreThatComesLater() async throws {
        let preset = try await PresetDaemon([
            "MonitorPrompts": .endless([MonitorPrompts.Reply(prompts: [AgentSamples.prompt(id: 1)])]),
            "MonitorApps": .endless([MonitorApps.Reply(apps: [])]),
        ])
        let agent = try RunningProgram(
            Program.path("locationctl"), ["agent", "--notify", "--runtime-directory", preset.runtime],
            environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        try await eventually("the notification") { !server.shown.isEmpty }
        #expect(preset.asked("MonitorApps").isEmpty)
        #expect(
            try await bus.connect().callBus("NameHasOwner", [.text(PermissionStore.name)]) == [.flag(false)])
        let store = try await PermissionStore(on: bus)
        try await eventually("the question") { preset.asked("MonitorApps").count == 1 }
        #expect(preset.asked("MonitorApps")[0]["allowInteractiveAuthentication"] == false)
        #expect(try await store.entries().isEmpty)
        try await end(agent)
    }
}
