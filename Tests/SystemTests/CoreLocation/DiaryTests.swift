import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// The example app `diary`, with its manifest, from an open decision to a revoked one.
@Suite(.timeLimit(.minutes(15))) struct DiaryTests {
    private let journey: Journey
    private let app: FixtureApp
    private var daemon: TestDaemon { journey.daemon }
    private var file: String { app.folder.path + "/diary.csv" }

    init() async throws {
        journey = try await Journey()
        app = try await FixtureApp("example-diary", journey.daemon)
        // The manifest of the installed program, for this one.
        let apps = journey.daemon.folder.path + "/apps"
        try FileManager.default.createDirectory(atPath: apps, withIntermediateDirectories: false)
        let manifest = apps + "/" + ManifestTests.manifest(of: app.folder.path + "/example-diary")
        try FileManager.default.copyItem(
            atPath: Project.folder + "/Examples/Sources/diary/diary.toml", toPath: manifest)
        for path in [journey.daemon.folder.path, apps] { chmod(path, 0o755) }
        chmod(manifest, 0o644)
        _ = try await daemon.ctl("grant", app.app)
        daemon.program.signal(SIGHUP)
        try await eventually("the manifest: \(daemon.log)") {
            try await journey.daemon.call(ListApps.self, UserScope()).apps.contains { $0.displayName == "Diary" }
        }
        _ = try await daemon.ctl("reset", app.app)
    }

    /// Answers the open prompt, and returns the description that the user saw.
    private func answer(_ answer: PromptAnswer) async throws -> String? {
        var prompt: Prompt?
        try await eventually("a prompt") {
            prompt = try await daemon.call(MonitorPrompts.self, .init()).prompts.first
            return prompt != nil
        }
        let open = try #require(prompt)
        #expect(open.displayName == "Diary" && !open.ownWords)
        _ = try await daemon.call(AnswerPrompt.self, .init(id: open.id, answer: answer))
        return open.description
    }

    private func rows() -> [String] {
        ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    @Test func itFollowsEachDecision() async throws {
        let keyboard = Pipe()
        let program = try RunningProgram(
            app.folder.path + "/example-diary", [file],
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime],
            input: keyboard.fileHandleForReading.fileDescriptor)
        defer { program.signal(SIGKILL) }
        func type(_ line: String) { keyboard.fileHandleForWriting.write(Data((line + "\n").utf8)) }
        /// Moves on until the program has written a line that begins like that, after the first `count` lines.
        func go(at speed: Double = 3, until line: String, after count: Int) async throws -> Int {
            try await journey.go(at: speed, until: "\(line) after \(count) of \(program.lines)") {
                program.lines.dropFirst(count).contains { $0.hasPrefix(line) }
            }
            return program.lines.count
        }

        var count = try await program.wait(for: "waiting for your answer")
        #expect(try await answer(.whileUsing) == "Shows where you are, and writes down the places of your way.")
        count = try await program.wait(for: "while you use it, exact", after: count)
        count = try await go(until: "47.5", after: count)
        type("a")
        #expect(try await answer(.always) == "Writes down the places of your way while the diary is closed, too.")
        count = try await program.wait(for: "always, exact", after: count)

        count = try await go(at: 0, until: "you stand still", after: count)
        count = try await go(at: 15, until: "you move on", after: count)
        type("p")
        count = try await program.wait(for: "paused", after: count)
        type("p")
        count = try await program.wait(for: "going on", after: count)
        count = try await go(until: "47.5", after: count)

        _ = try await daemon.ctl("grant", app.app, "--always", "--reduced")
        count = try await program.wait(for: "always, approximate", after: count)
        count = try await go(until: "near 47.", after: count)
        type("e")
        #expect(try await answer(.once) == "Writes an exact page of the diary, until you close it.")
        try await program.wait(for: "exact for now", after: count)
        count = try await program.wait(for: "always, exact", after: count)
        count = try await go(until: "47.5", after: count)

        _ = try await daemon.ctl("grant", app.app, "--always")
        _ = try await daemon.ctl("disable")
        count = try await program.wait(for: "location services are off", after: count)
        _ = try await daemon.ctl("enable")
        count = try await program.wait(for: "always, exact", after: count)
        count = try await go(until: "47.5", after: count)
        _ = try await daemon.ctl("revoke", app.app)
        count = try await program.wait(for: "you said no", after: count)
        #expect(rows().allSatisfy { $0.hasPrefix("2026-06-01T1") } && !rows().isEmpty, "\(rows())")
        type("q")
        #expect(try await program.end().status == 0)
        #expect(program.lines.count == count, "\(program.lines)")
    }

    @Test func itIsStartedForSignificantChanges() async throws {
        _ = try await daemon.ctl("grant", app.app, "--always")
        let program = try app.startThroughSocket(app.folder.path + "/wake", "--woken", file)
        defer { program.signal(SIGTERM) }
        try await journey.go(at: 20, until: "the first line: \(program.lines)") { !rows().isEmpty }
        // It would end after ten seconds without an event, but time passes faster here.
        let first = try #require(program.lines.first?.split(separator: " ").last.flatMap { Int32($0) })
        kill(first, SIGKILL)
        let count = rows().count
        try await journey.go(at: 20, until: "a line of another process: \(program.lines)") {
            program.lines.count { $0.hasPrefix("started") } >= 2 && rows().count > count
        }
    }
}
