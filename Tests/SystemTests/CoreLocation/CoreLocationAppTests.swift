import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Apps as tutorials for iOS write them, with the real daemon.
@Suite(.timeLimit(.minutes(15))) struct CoreLocationAppTests {
    private static let texts = [
        "NSLocationWhenInUseUsageDescription": "to show the way",
        "NSLocationAlwaysAndWhenInUseUsageDescription": "to keep a diary",
    ]

    /// Answers the open prompt.
    private func answer(_ answer: PromptAnswer, _ daemon: TestDaemon) async throws -> Prompt {
        var prompt: Prompt?
        try await eventually("a prompt") {
            prompt = try await daemon.call(MonitorPrompts.self, .init()).prompts.first
            return prompt != nil
        }
        let open = try #require(prompt)
        _ = try await daemon.call(AnswerPrompt.self, .init(id: open.id, answer: answer))
        return open
    }

    /// The events reach the app through a multicast delegate, with optional calls.
    @Test func aTutorialsAppGoesThroughEveryStatus() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await FixtureApp("classic-app", daemon, texts: Self.texts)
        let program = try app.start()
        defer { program.signal(SIGKILL) }
        var count = try await program.wait(for: "status: not determined")
        // The prompt contains the app's own words, and the user denies it.
        let prompt = try await answer(.deny, daemon)
        #expect(prompt.app == app.app)
        #expect(prompt.description?.contains("to show the way") ?? false)
        count = try await program.wait(
            for: "status: denied", "alert: Please enable", "failure: denied kCLErrorDomain 1", after: count)
        #expect(program.lines.allSatisfy { !$0.hasPrefix("location") })
        // The user decides otherwise in the settings. The updates that the app has started arrive.
        _ = try await daemon.ctl("grant", app.app, "--when-in-use")
        count = try await program.wait(for: "status: when in use", "accuracy: full", "location: ", after: count)
        _ = try await daemon.ctl("grant", app.app, "--always")
        count = try await program.wait(for: "status: always", "accuracy: full", "location: ", after: count)
        // No text explains the need for full accuracy, so there is no prompt.
        _ = try await daemon.ctl("grant", app.app, "--always", "--reduced")
        count = try await program.wait(for: "status: always", "accuracy: reduced", "temporary: error 18", after: count)
        _ = try await daemon.ctl("grant", app.app, "--always")
        count = try await program.wait(for: "status: always", "accuracy: full", "location: ", after: count)
        _ = try await daemon.ctl("disable")
        count = try await program.wait(for: "status: denied", "failure: denied", after: count)
        _ = try await daemon.ctl("enable")
        count = try await program.wait(for: "status: always", "location: ", after: count)
        _ = try await daemon.ctl("reset", app.app)
        _ = try await program.wait(for: "status: not determined", after: count)
        let lines = program.lines
        #expect(!lines.contains { $0.hasPrefix("old status") || $0.hasPrefix("error") }, "\(lines)")
        // There is one callback for each change.
        #expect(lines.filter { $0.hasPrefix("status") }.count == 9, "\(lines)")
        #expect(lines.filter { $0.hasPrefix("failure: denied") }.count == 2, "\(lines)")
    }

    @Test func anAppWithoutTextsCausesNoPromptAndLogsWhy() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let app = try await FixtureApp("classic-app", daemon)
        let program = try app.start()
        defer { program.signal(SIGKILL) }
        try await eventually("the complaint") {
            program.errors.contains("NSLocationWhenInUseUsageDescription")
        }
        #expect(try await daemon.call(MonitorPrompts.self, .init()).prompts.isEmpty)
    }

    @Test func anAppIsStartedForASignificantChange() async throws {
        let folder = try TemporaryFolder()
        var track = Track()
        // A hundred seconds: long enough to be ended, started and told on a slow machine.
        track.go(20_000, at: 10)
        let file = try track.write(to: folder, as: "track.nmea")
        let daemon = try await TestDaemon(receivers: ["replay:\(file)@200"], folder: folder)
        let app = try await FixtureApp("classic-app", daemon, texts: Self.texts)
        let program = try app.startThroughSocket(app.folder.path + "/wake", "--background")
        defer { program.signal(SIGTERM) }
        _ = try await answer(.always, daemon)
        var count = try await program.wait(for: "started", "significant: ")
        // The app is ended, and does not come back by itself.
        let first = try #require(program.lines.first?.split(separator: " ").last.flatMap { Int32($0) })
        kill(first, SIGKILL)
        count = try await program.wait(for: "started", "significant: ", after: count)
        let times = program.lines.compactMap { $0.split(separator: " ").last }.compactMap { Double($0) }
        #expect(times.last ?? 0 > times.dropFirst().first ?? 0)
        #expect(count > 3)
    }
}
