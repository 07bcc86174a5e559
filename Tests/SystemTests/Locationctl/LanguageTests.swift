import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Prompts, the tray and setup in the language of the session: the real catalogues, the C library's gettext(3), and a real locale.
@Suite(.timeLimit(.minutes(15)), .enabled(if: LanguageInstallation.isPossible, "needs locales and gettext"))
struct LanguageTests {
    private typealias Installation = LanguageInstallation

    /// Some texts in Arabic. One lacks the place of the reason, so that it is not used.
    private static let arabic = """
        msgid ""
        msgstr ""
        "Content-Type: text/plain; charset=UTF-8\\n"

        msgid "{app} would like your location"
        msgstr "يريد {app} معرفة موقعك"

        msgid "{app} · any program of yours can pretend to be it"
        msgstr "أي برنامج لديك يمكنه انتحال هويته · {app}"

        msgid "Deny"
        msgstr "رفض"

        msgid "{reason} (its own words)"
        msgstr "كلمات التطبيق"

        msgid "Location services"
        msgstr "خدمات الموقع"

        msgid "Revoke"
        msgstr "إلغاء الإذن"

        """

    private func labels(_ notification: FakeNotificationServer.Notification) -> [String] {
        stride(from: 1, to: notification.actions.count, by: 2).map { notification.actions[$0] }
    }

    private func end(_ agent: RunningProgram) async throws {
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    @Test(.enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
    func aPromptInGermanIsAnsweredWithItsButtons() async throws {
        let installation = try await Installation(languages: "de")
        let bus = try await PrivateBus()
        let server = try FakeNotificationServer(on: bus, capabilities: ["actions"])
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let agent = try installation.agent(daemon.runtime, "--no-tray", on: bus)
        try await eventually("the notification") { !server.shown.isEmpty }
        #expect(server.shown[0].summary == "Tracker möchte Ihren Standort verwenden")
        #expect(
            server.shown[0].body == """
                &quot;to show where you are&quot; (Angabe der App)
                /opt/tracker/bin/tracker · jedes Ihrer Programme kann sich dafür ausgeben
                """)
        #expect(labels(server.shown[0]) == ["Bei Nutzung", "Nur ungefähr", "Verweigern", "Mehr …", ""])
        try await server.press("Nur ungefähr") { !daemon.taken.isEmpty }
        #expect(daemon.taken == [.init(id: 1, answer: .whileUsing, accuracy: .reduced)])
        try await end(agent)
    }

    /// Attack: an app has a name that reorders the text, and one that looks like a place of the sentence.
    @Test(.enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
    func aPromptInArabicIsNotReorderedByItsApp() async throws {
        let folder = try TemporaryFolder()
        let installation = try await Installation([("ar", folder.write(Self.arabic, to: "ar.po"))])
        let bus = try await PrivateBus()
        let server = try FakeNotificationServer(on: bus, capabilities: ["actions"])
        var prompt = AgentSamples.prompt(id: 1)
        prompt.displayName = "{reason} %s \u{202E}ypS\u{2069}"
        let daemon = try await PromptingDaemon([prompt])
        let agent = try installation.agent(daemon.runtime, "--no-tray", on: bus, language: "ar")
        try await eventually("the notification") { !server.shown.isEmpty }
        #expect(
            server.shown[0].summary == "يريد \u{2068}{reason} %s \u{FFFD}ypS\u{FFFD}\u{2069} معرفة موقعك")
        #expect(
            server.shown[0].body == """
                &quot;to show where you are&quot; (its own words)
                أي برنامج لديك يمكنه انتحال هويته · \u{2068}/opt/tracker/bin/tracker\u{2069}
                """)
        #expect(labels(server.shown[0]).contains("رفض"))
        try await end(agent)
    }

    /// A host lays the menu out from the right.
    @Test(.enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
    func theMenuOfTheTrayHasTheDirectionOfItsText() async throws {
        let folder = try TemporaryFolder()
        let installation = try await Installation([("ar", folder.write(Self.arabic, to: "ar.po"))])
        let bus = try await PrivateBus()
        let server = try FakeNotificationServer(on: bus, capabilities: ["actions"])
        defer { withExtendedLifetime(server) {} }
        let key = AppKey(uid: 1000, app: AppIdentity("exe:/opt/tracker")!)
        let now = Timestamp("2026-06-01T12:05:00.000Z")!
        let use = IndicatorEntry(key: key, active: true, background: false, accuracy: .full, lastUse: now)
        let app = AppSummary(
            key: key, authorization: Authorization(status: .authorizedAlways, accuracy: .full, servicesEnabled: true),
            decision: DecisionSummary(level: .always))
        let daemon = try await PresetDaemon([
            "MonitorPrompts": .endless([MonitorPrompts.Reply(prompts: [])]),
            "GetIndicator": .endless([GetIndicator.Reply(apps: [use])]),
            "ListApps": .replies([ListApps.Reply(apps: [app])]),
            "GetServices": .replies([GetServices.Reply(machine: true, user: true)]),
        ])
        let host = try await TrayHost(on: bus)
        let agent = try installation.agent(daemon.runtime, on: bus, language: "ar")
        let item = try await host.waitForItem()
        try await eventually("the menu") {
            try await host.menu(of: item).all.contains { $0.label == "إلغاء الإذن" }
        }
        let direction = try await host.connection.call(
            to: item, "/MenuBar", "org.freedesktop.DBus.Properties", "Get",
            [.text(TrayHost.menu), .text("TextDirection")])
        #expect(direction == [.text("rtl")])
        try await end(agent)
    }

    /// Polish has three forms, in a terminal.
    @Test func aNumberHasItsForm() async throws {
        let installation = try await Installation(languages: "de", "pl")
        let daemon = try await PromptingDaemon([])
        let terminal = try PseudoTerminal(columns: 200, rows: 50)
        let agent = try RunningProgram(
            installation.program, ["agent", "--plain", "--runtime-directory", daemon.runtime],
            environment: installation.environment.merging(["LANGUAGE": "pl:de"]) { $1 }, input: terminal.slave,
            output: terminal.slave)
        for (first, more, sentence) in [
            (10, 1, "Jeszcze 1 aplikacja czeka na odpowiedź."), (20, 2, "Jeszcze 2 aplikacje czekają na odpowiedź."),
            (30, 5, "Jeszcze 5 aplikacji czeka na odpowiedź."), (50, 22, "Jeszcze 22 aplikacje czekają na odpowiedź."),
        ] {
            try await daemon.change(to: (first...first + more).map { AgentSamples.prompt(id: $0) })
            try await eventually("\(sentence)") { terminal.text.contains(sentence) }
        }
        #expect(terminal.text.contains("Tracker chce używać lokalizacji tego komputera podczas używania aplikacji."))
        #expect(terminal.text.contains("3 albo w albo while-using: Zezwól podczas używania aplikacji"))
        #expect(daemon.agents == [.init(languages: ["pl", "de", "de-DE"])])
        try await end(agent)
    }

    /// The words that it asks for are those that it understands.
    @Test func setupAsksInGerman() async throws {
        let installation = try await Installation(languages: "de")
        let daemon = try await TestDaemon(receivers: [], configuration: "")
        let root = try TemporaryFolder()
        let wire = try Wire()
        for folder in ["dev", "sys/class/tty/ttyUSB0/device"] {
            try FileManager.default.createDirectory(
                atPath: "\(root.path)/\(folder)", withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: root.path + "/dev/ttyUSB0", withDestinationPath: wire.path)
        let terminal = try PseudoTerminal(columns: 200, rows: 50)
        let setup = try RunningProgram(
            installation.program,
            [
                "setup", "--runtime-directory", daemon.runtime, "--config-directory", daemon.folder.path,
                "--system-root", root.path, "--listen", "0.1",
            ], environment: installation.environment, input: terminal.slave, output: terminal.slave)
        try await eventually("the port") { terminal.text.contains("Welcher soll verwendet werden? [keiner]") }
        // A line that is typed before a question is read does not count.
        try await eventually("the question") {
            terminal.type("1\n")
            return terminal.text.contains("[j/N]")
        }
        try await eventually("the end") {
            terminal.type("nein\n")
            return setup.hasEnded
        }
        #expect(setup.exitStatus == 1 && terminal.text.contains("Es wurde nichts geändert."))
    }

    /// A program that reads the lines gets the same in every session, and so does a reader of English.
    @Test(arguments: [("", false), ("en_GB:de", true), ("C", true)])
    func everythingElseIsEnglish(language: String, isTerminal: Bool) async throws {
        let installation = try await Installation(languages: "de")
        let daemon = try await PromptingDaemon([AgentSamples.prompt(id: 1)])
        let input = try ProgramPipe()
        let terminal = try PseudoTerminal(columns: 200, rows: 50)
        let agent = try RunningProgram(
            installation.program, ["agent", "--plain", "--runtime-directory", daemon.runtime],
            environment: installation.environment.merging(["LANGUAGE": language]) { $1 },
            input: input.readEnd.fileDescriptor, output: isTerminal ? terminal.slave : nil)
        try await eventually("the prompt") {
            (isTerminal ? terminal.text : agent.output).contains("Tracker wants to use this machine's location")
        }
        try await end(agent)
    }
}
