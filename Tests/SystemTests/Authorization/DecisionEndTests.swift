import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The ends of decisions, with the real daemon: over its restart, in other time zones, and in the background.
@Suite(.timeLimit(.minutes(15))) struct DecisionEndTests {
    // MARK: Once

    private func app(_ daemon: TestDaemon) throws -> RunningProgram {
        let script = Program.script("Authorization/reconnecting")
        return try RunningProgram(
            Attack.interpreter, ["-c", script, daemon.runtime + "/io.locationd.Location"])
    }

    /// Returns the last status that the app has printed, once it has printed one after `line` lines.
    private func status(of app: RunningProgram, after line: Int) async throws -> String {
        var status = ""
        try await eventually("the status: \(app.lines)") {
            let last = app.lines.dropFirst(line).last { $0 != "lost" }
            status = last ?? ""
            return last != nil
        }
        return status
    }

    /// An upgrade does not end "once" for the process that has it, and neither does a crash of the daemon.
    @Test(arguments: [SIGTERM, SIGKILL])
    func onceGoesOnForTheSameProcess(signal: CInt) async throws {
        let daemon = try await TestDaemon(receivers: [])
        let app = try app(daemon)
        #expect(try await status(of: app, after: 0) == "notDetermined")
        let name = try #require(
            try await daemon.call(ListApps.self, UserScope()).apps.first { $0.connections > 0 }?.app)
        _ = try await daemon.call(Grant.self, .init(app: name, level: .whenInUse, lifetime: .once))
        try await eventually("the grant") { app.lines.last == "authorizedWhenInUse" }
        let before = app.lines.count
        daemon.program.signal(signal)
        _ = try await daemon.program.end()
        try await daemon.start()
        #expect(try await status(of: app, after: before) == "authorizedWhenInUse")
        app.signal(SIGKILL)
    }

    /// Attack: the machine is switched off in the evening. In the morning the app starts with the session, within 10 s of
    /// the daemon, and has the location again.
    @Test(arguments: [SIGTERM, SIGKILL])
    func onceEndsForAnotherProcess(signal: CInt) async throws {
        let daemon = try await TestDaemon(receivers: [])
        let first = try app(daemon)
        _ = try await status(of: first, after: 0)
        let name = try #require(
            try await daemon.call(ListApps.self, UserScope()).apps.first { $0.connections > 0 }?.app)
        _ = try await daemon.call(Grant.self, .init(app: name, level: .whenInUse, lifetime: .once))
        try await eventually("the grant") { first.lines.last == "authorizedWhenInUse" }
        daemon.program.signal(signal)
        _ = try await daemon.program.end()
        first.signal(SIGKILL)
        _ = try await first.end()
        try await daemon.start()
        let second = try app(daemon)
        #expect(try await status(of: second, after: 0) == "notDetermined")
        second.signal(SIGKILL)
    }

    // MARK: Until tomorrow

    static let canChangeZone =
        Attack.isRoot && Attack.hasBubblewrap && access("/usr/share/zoneinfo/Pacific/Auckland", R_OK) == 0

    /// The zone changes while the daemon runs, as on a journey: "tomorrow" follows the new zone.
    @Test(.enabled(if: canChangeZone, "needs root, bubblewrap and tzdata"))
    func untilTomorrowIsUntilTheMidnightOfTheZoneThatIsSet() async throws {
        let folder = try TemporaryFolder()
        let etc = folder.path + "/etc"
        let copied = try await Program.run("/bin/cp", ["-a", "/etc", etc])
        #expect(copied.status == 0, "\(copied.errors)")
        func set(_ zone: String) throws {
            unlink(etc + "/localtime")
            guard symlink("/usr/share/zoneinfo/\(zone)", etc + "/localtime") == 0 else { throw POSIXError.last }
        }
        try set("Etc/UTC")
        let daemon = try await TestDaemon(
            receivers: [],
            launcher: ["/usr/bin/env", "-u", "TZ", "/usr/bin/bwrap", "--dev-bind", "/", "/", "--bind", etc, "/etc"])
        for zone in ["Etc/UTC", "Pacific/Auckland", "America/Los_Angeles", "Asia/Kathmandu"] {
            try set(zone)
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: zone))
            func tomorrow() -> Int64 {
                let day = calendar.startOfDay(for: Date())
                let next = calendar.startOfDay(for: calendar.date(byAdding: .hour, value: 36, to: day)!)
                return Int64(next.timeIntervalSince1970) * 1000
            }
            let before = tomorrow()
            let parameters = Grant.Parameters(app: "exe:/opt/x", level: .whenInUse, lifetime: .untilTomorrow)
            let granted = try await daemon.call(Grant.self, parameters).app
            #expect([before, tomorrow()].contains(granted.decision?.until?.millisecondsSince1970), "\(zone)")
        }
    }

    // MARK: Full accuracy for now

    /// Attack: the user allows full accuracy for now, and turns to something else. The app follows the exact position
    /// for days.
    @Test func fullAccuracyForNowEndsInTheBackground() async throws {
        let folder = try TemporaryFolder()
        mkdir(folder.path + "/apps", 0o755)
        for path in [folder.path, folder.path + "/apps"] { chmod(path, 0o755) }
        let file = folder.path + "/apps/" + (try ManifestTests.ownManifest())
        try "display-name = \"Foo\"\n[temporary-full-accuracy]\nturns = \"Says where to turn.\"\n"
            .write(toFile: file, atomically: false, encoding: .utf8)
        chmod(file, 0o644)
        let daemon = try await TestDaemon(receivers: ["simulated"], folder: folder)
        _ = try await daemon.call(
            Grant.self, .init(app: try await daemon.ownApp(), level: .always, accuracy: .reduced))
        let client = try await daemon.connect(to: LocationInterface.self)
        async let answered = client.call(
            RequestTemporaryFullAccuracy.qualifiedName, RequestTemporaryFullAccuracy.Parameters(purposeKey: "turns"),
            returning: RequestTemporaryFullAccuracy.Reply.self)
        var prompt: Prompt?
        try await eventually("the prompt") {
            prompt = try await daemon.call(MonitorPrompts.self, .init()).prompts.first
            return prompt != nil
        }
        _ = try await daemon.call(AnswerPrompt.self, .init(id: try #require(prompt).id, answer: .once))
        #expect(try await answered.authorization.accuracy == .full)
        let declaration = try await daemon.connect(to: LocationInterface.self)
        _ = try await declaration.call(
            SetBackground.qualifiedName, SetBackground.Parameters(background: true), returning: Nothing.self)
        let apps = try await daemon.call(ListApps.self, UserScope()).apps
        #expect(apps.first?.accuracy == .reduced && apps.first?.decision?.temporarilyFull == false)
        _ = try await declaration.call(
            SetBackground.qualifiedName, SetBackground.Parameters(background: false), returning: Nothing.self)
        #expect(
            try await daemon.call(ListApps.self, UserScope()).apps.first?.accuracy == .reduced, "it does not return")
    }
}
