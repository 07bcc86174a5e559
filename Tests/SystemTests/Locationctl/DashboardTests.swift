import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// `locationctl dashboard` as a process in a terminal, with a daemon whose replies the test determines and with the
/// real one.
@Suite(.timeLimit(.minutes(15))) struct DashboardTests {
    private static let grant = Authorization(status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)
    /// The end of every way out: no reports of the mouse, no bracketed paste, the cursor and the previous contents.
    private static let leave = "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"
    private static let key = AppKey(uid: 1000, app: AppIdentity("flatpak:org.example.Maps")!)

    private static func app(_ status: AuthorizationStatus = .authorizedWhenInUse) -> AppSummary {
        var app = AppSummary(
            key: key, authorization: Authorization(status: status, accuracy: .full, servicesEnabled: true),
            decision: DecisionSummary(level: status == .denied ? .denied : .whenInUse))
        app.displayName = "Maps"
        return app
    }

    /// Returns a daemon with one app, which is looking.
    private func scripted(folder: TemporaryFolder? = nil, management: Bool = true) async throws -> ScriptedDaemon {
        let daemon = try await ScriptedDaemon(folder: folder)
        try await daemon.set(GetAuthorization.self, .init(authorization: Self.grant))
        var location = Location(timestamp: Timestamp("2026-06-01T12:00:00.000Z")!, latitude: 48.2, longitude: 16.4)
        location.horizontalAccuracy = 3.5
        try await daemon.set(Subscribe.self, .init(update: Update(event: .location, location: location)))
        let use = IndicatorEntry(
            key: Self.key, active: true, background: false, accuracy: .full, lastUse: location.timestamp)
        try await daemon.setLists(apps: [Self.app()], uses: [use])
        try await daemon.set(Revoke.self, .init(app: Self.app(.denied)))
        try await daemon.set(AnswerPrompt.self, Nothing())
        try await daemon.listen(management: management)
        return daemon
    }

    private func start(_ runtime: String, _ terminal: PseudoTerminal, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram(
            Program.path("locationctl"), ["dashboard", "--runtime-directory", runtime] + arguments,
            environment: ["LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "xterm"], input: terminal.slave,
            output: terminal.slave)
    }

    // MARK: A scripted daemon

    @Test func whoIsLookingAndTakingTheGrantAway() async throws {
        let daemon = try await scripted()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let before = terminal.attributes
        let dashboard = try start(daemon.runtime, terminal)
        try await eventually("the app and the position") {
            ["● Maps", "48.200000° N", "locationd 7.7.7"].allSatisfy(terminal.screen.contains)
        }
        #expect(terminal.screen.contains("● now: 1"))
        terminal.type("x")
        try await eventually("that an app is to be chosen") { terminal.screen.contains("Choose an app first") }
        terminal.type("\u{1B}[B")
        try await eventually("the cursor") { terminal.screen.contains("▶ ● Maps") }
        terminal.type("x")
        try await eventually("the question") { terminal.screen.contains("Take the location away from Maps?") }
        #expect(!daemon.calls.contains(Revoke.qualifiedName), "not before the answer")
        try await daemon.set(MonitorApps.self, .init(apps: [Self.app(.denied)]))
        terminal.type("y")
        try await eventually("the confirmation") { terminal.screen.contains("Maps is denied the location from now on") }
        #expect(daemon.calls.filter { $0 == Revoke.qualifiedName }.count == 1)
        try await eventually("the new list") { terminal.screen.contains("denied      ") }
        terminal.type("q")
        try await eventually("the end") { dashboard.hasEnded }
        #expect(dashboard.exitStatus == 0)
        #expect(terminal.text.hasSuffix(Self.leave))
        #expect(terminal.attributes.c_lflag == before.c_lflag)
        #expect(!terminal.text.contains("\u{1B}[1m"), "no colour")
    }

    /// A report that changes nothing on the screen draws nothing, and a report that changes a cell draws that cell.
    @Test func onlyAChangeIsDrawn() async throws {
        let daemon = try await scripted()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let dashboard = try start(daemon.runtime, terminal)
        for part in ["7.7.7", "48.200000° N", "● Maps", "in use, full", "None is plugged in"] {
            try await eventually("the whole screen: \(part)") { terminal.screen.contains(part) }
        }
        let length = terminal.text.utf8.count
        for _ in 0..<5 { try await daemon.set(ListReceivers.self, .init(receivers: [])) }
        try await daemon.set(ListSessions.self, .init(sessions: []))
        let session = SessionSummary(
            key: Self.key, pid: 4711, method: "Subscribe", state: .active, since: Timestamp("2026-06-01T12:00:00.000Z")!
        )
        try await daemon.set(ListSessions.self, .init(sessions: [session]))
        func drawn() -> [Substring] {
            String(decoding: terminal.text.utf8.dropFirst(length), as: UTF8.self).split(separator: "\u{1B}")
                // The first row has the time of day.
                .filter { !$0.hasPrefix("[1;") }
        }
        try await eventually("the number of streams") { !drawn().isEmpty }
        let calls = daemon.calls.filter { $0 == GetStatistics.qualifiedName }.count
        try await eventually("the list of apps, again") {
            daemon.calls.filter { $0 == GetStatistics.qualifiedName }.count > calls
        }
        #expect(drawn().count == 1 && drawn()[0].hasSuffix("H1"), "\(drawn())")
        #expect(!dashboard.hasEnded)
    }

    @Test func aPromptIsAnswered() async throws {
        let daemon = try await scripted()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let dashboard = try start(daemon.runtime, terminal, "--no-position")
        try await eventually("the app") { terminal.screen.contains("● Maps") }
        try await daemon.set(MonitorPrompts.self, .init(prompts: [AgentSamples.prompt()], closed: []))
        try await eventually("the banner") { terminal.screen.contains("! Tracker wants the location.  p: answer") }
        terminal.type("p")
        try await eventually("the prompt") { terminal.screen.contains("[w] Allow while in use") }
        try await eventually("the answer") {
            terminal.type("w")
            return !terminal.text.isEmpty && daemon.calls.contains(AnswerPrompt.qualifiedName)
        }
        try await eventually("the list") { terminal.screen.contains("Tracker: Allow while in use") }
        #expect(!daemon.calls.contains(Subscribe.qualifiedName), "--no-position")
        #expect(!dashboard.hasEnded)
    }

    /// The keys and the wheel as a terminal sends them.
    @Test func helpAFilterAndTheWheel() async throws {
        let daemon = try await scripted()
        let apps = (0..<30).map { number in
            AppSummary(
                key: AppKey(uid: 1000, app: AppIdentity("exe:/opt/app\(number + 10)")!),
                authorization: Authorization(status: .authorizedAlways, accuracy: .full, servicesEnabled: true),
                decision: DecisionSummary(level: .always))
        }
        try await daemon.set(GetIndicator.self, .init(apps: []))
        try await daemon.set(MonitorApps.self, .init(apps: apps))
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let dashboard = try start(daemon.runtime, terminal)
        try await eventually("the apps") { terminal.screen.contains("/opt/app10") }
        #expect(terminal.text.contains("\u{1B}[?1000h\u{1B}[?1006h"))
        terminal.type("?")
        try await eventually("the keys") { terminal.screen.contains("PageUp, PageDown") }
        terminal.type("\u{1B}")
        try await eventually("the apps again") { terminal.screen.contains("/opt/app10") }
        terminal.type("\u{1B}[B\u{1B}[<65;40;20M")
        try await eventually("the cursor at the fourth app") { terminal.screen.contains("▶   /opt/app13") }
        terminal.type("\u{1B}[F")
        try await eventually("the cursor at the last app") { terminal.screen.contains("▶   /opt/app39") }
        terminal.type("/app2")
        try await eventually("ten apps") {
            terminal.screen.contains("/app2_") && !terminal.screen.contains("/opt/app3")
        }
        terminal.type("\u{1B}")
        try await eventually("all apps") { terminal.screen.contains("▶   /opt/app39") }
        #expect(!dashboard.hasEnded)
    }

    @Test func escLeavesAPromptWithoutAnAnswer() async throws {
        let daemon = try await scripted()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let dashboard = try start(daemon.runtime, terminal, "--no-position")
        try await eventually("the app") { terminal.screen.contains("● Maps") }
        try await daemon.set(MonitorPrompts.self, .init(prompts: [AgentSamples.prompt()], closed: []))
        try await eventually("the banner") { terminal.screen.contains("p: answer") }
        terminal.type("p")
        try await eventually("the prompt") { terminal.screen.contains("[n] No answer") }
        terminal.type("\u{1B}")
        try await eventually("the apps again") { terminal.screen.contains("● Maps") }
        #expect(terminal.screen.contains("p: answer"))
        #expect(!daemon.calls.contains(AnswerPrompt.qualifiedName) && !dashboard.hasEnded)
    }

    @Test func aDaemonThatIsStartedAgain() async throws {
        var daemon: ScriptedDaemon? = try await scripted()
        let folder = daemon!.folder
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let dashboard = try start(folder.path, terminal)
        try await eventually("the app") { terminal.screen.contains("● Maps") }
        try await daemon!.stop()
        daemon = nil
        try await eventually("that it is gone") { terminal.screen.contains("is not running. Waiting for it") }
        let length = terminal.text.utf8.count
        let second = try await scripted(folder: folder)
        try await eventually("the app again") {
            String(decoding: terminal.text.utf8.dropFirst(length), as: UTF8.self).contains("● Maps")
        }
        try await eventually("the subscription") { second.calls.contains(Subscribe.qualifiedName) }
        #expect(!dashboard.hasEnded)
    }

    /// A user who is not in the management group sees what every app may: its own position.
    @Test func withoutTheManagementSocket() async throws {
        let daemon = try await scripted(management: false)
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let dashboard = try start(daemon.runtime, terminal)
        try await eventually("the position") { terminal.screen.contains("48.200000° N") }
        try await eventually("the reason") { terminal.screen.contains("The apps of this machine are not shown") }
        #expect(!terminal.screen.contains("Maps"))
        #expect(!dashboard.hasEnded)
    }

    @Test func anotherSizeOfTheWindow() async throws {
        let daemon = try await scripted()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let dashboard = try start(daemon.runtime, terminal)
        try await eventually("the app") { terminal.screen.contains("● Maps") }
        #expect(!terminal.screen.contains("IDENTITY"))
        terminal.resize(columns: 160, rows: 40)
        dashboard.signal(SIGWINCH)
        try await eventually("a wider list") { terminal.screen.contains("IDENTITY") }
        terminal.resize(columns: 20, rows: 5)
        dashboard.signal(SIGWINCH)
        try await eventually("a window that is too small") { terminal.screen.contains("This window is") }
    }

    @Test func theTerminalBelongsToTheShellWhileItIsStopped() async throws {
        let daemon = try await scripted()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let before = terminal.attributes
        let dashboard = try start(daemon.runtime, terminal)
        try await eventually("the app") { terminal.screen.contains("● Maps") }
        terminal.type("\u{1A}")
        try await eventually("the stop") {
            let status = try String(
                contentsOfFile: "/proc/\(dashboard.processIdentifier)/stat", encoding: .utf8)
            return status.split(separator: ")").last?.hasPrefix(" T ") == true
        }
        #expect(terminal.text.hasSuffix(Self.leave))
        #expect(terminal.attributes.c_lflag == before.c_lflag)
        let length = terminal.text.utf8.count
        dashboard.signal(SIGCONT)
        try await eventually("the screen again") {
            String(decoding: terminal.text.utf8.dropFirst(length), as: UTF8.self).contains("● Maps")
        }
        #expect(terminal.attributes.c_lflag & tcflag_t(ECHO | ICANON) == 0)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT]) func aSignalRestoresTheTerminal(signal: Int32) async throws {
        let daemon = try await scripted()
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let dashboard = try start(daemon.runtime, terminal)
        try await eventually("the app") { terminal.screen.contains("● Maps") }
        dashboard.signal(signal)
        try await eventually("the end") { dashboard.hasEnded }
        #expect(dashboard.exitStatus == 0)
        #expect(terminal.text.hasSuffix(Self.leave))
    }

    @Test func onceAsPlainText() async throws {
        let daemon = try await scripted()
        for (environment, mark) in [(["LC_ALL": "C.UTF-8"], "●"), (["LC_ALL": "C"], "*")] {
            let result = try await Program.run(
                Program.path("locationctl"), ["dashboard", "--once", "--runtime-directory", daemon.runtime],
                environment: environment)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("\(mark) Maps"), "\(result.output)")
            #expect(!result.output.contains("\u{1B}") && !result.output.contains("SKY"))
            #expect(result.output.contains("Not shown on a screen that is printed once"))
            #expect(environment["LC_ALL"] != "C" || result.output.utf8.allSatisfy { $0 < 0x80 })
        }
        #expect(!daemon.calls.contains(Subscribe.qualifiedName))
        let missing = try await Program.run(
            Program.path("locationctl"), ["dashboard", "--once", "--runtime-directory", "/nonexistent"])
        #expect(missing.status == 3)
    }

    // MARK: The real daemon

    @Test func theRealDaemonWithAReceiver() async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        let app = try await daemon.ctlApp()
        let terminal = try PseudoTerminal(columns: 120, rows: 40)
        let dashboard = try start(daemon.runtime, terminal)
        try await eventually("that it has no grant") { terminal.screen.contains("has no grant for it yet") }
        terminal.type("g")
        try await eventually("the banner") { terminal.screen.contains("p: answer") }
        terminal.type("p")
        try await eventually("the prompt") { terminal.screen.contains("location in a dashboard\"") }
        try await eventually("the grant") {
            terminal.type("w")
            let apps = try await daemon.list(ListApps.self, UserScope()).apps
            return !terminal.text.isEmpty && apps.contains { $0.app == app && $0.status == .authorizedWhenInUse }
        }
        try await daemon.waitUntilOpen()
        var second = 0
        try await eventually("the position, and what was dropped") {
            wire.offer("$GPGGA,1,2*00\r\n" + Sentences.epoch(second))
            second += 1
            let text = terminal.text
            return text.contains("Accuracy") && text.contains("° N") && text.contains(" wrong checksum")
        }
        try await eventually("this program, which looks") { terminal.screen.contains("(you)") }
        // The keys of the walk in the user's guide: down to the app, x, y.
        terminal.type("\u{1B}[B")
        terminal.type("x")
        try await eventually("the question") { terminal.screen.contains("Take the location away from") }
        let length = terminal.text.utf8.count
        terminal.type("y")
        try await eventually("the denial") {
            let text = String(decoding: terminal.text.utf8.dropFirst(length), as: UTF8.self)
            return text.contains("Denied to locationctl")
        }
        let apps = try await daemon.list(ListApps.self, UserScope()).apps
        #expect(apps.contains { $0.app == app && $0.status == .denied })
        try await daemon.kill()
        try await eventually("that the daemon is gone") { terminal.screen.contains("is not running. Waiting for it") }
        #expect(!dashboard.hasEnded)
    }
}
