import Foundation
import LocationProtocol
import TestSupport
import Testing

/// Programs with run loops of each kind, and with none, on the real daemon.
@Suite(.timeLimit(.minutes(15))) struct CoreLocationProgramTests {
    @Test(arguments: ["main-run-loop", "thread"])
    func aDelegateIsCalledInTheRunLoopOfTheThread(mode: String) async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await FixtureApp("run-loop-app", daemon)
        _ = try await daemon.ctl("grant", app.app)
        let end = try await app.start(mode).end()
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.lines.first == "status 4 on the manager's thread")
        #expect(end.lines.last == "done")
        #expect(end.lines.dropFirst().dropLast().allSatisfy { $0 == "location on the manager's thread" })
    }

    @Test func aDelegateIsCalledOnTheMainQueue() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await FixtureApp("run-loop-app", daemon)
        _ = try await daemon.ctl("grant", app.app)
        let program = try app.start("dispatch-main")
        defer { program.signal(SIGKILL) }
        try await program.wait(for: "status 4", "location", "location")
    }

    @Test func aProgramThatDoesNothingTalksToNobody() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let end = try await FixtureApp("run-loop-app", daemon).start("nothing").end()
        #expect(end.status == 0 && end.errors.isEmpty)
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.allSatisfy { !$0.app.contains("run-loop-app") })
    }

    @Test func aProgramThatNeverAsksReadsWhatToRun() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await FixtureApp("run-loop-app", daemon)
        let program = try app.start("main-run-loop")
        defer { program.signal(SIGKILL) }
        try await eventually("the line: \(program.errors)") { program.errors.contains("`locationctl grant ") }
        #expect(program.errors.contains("'\(app.app)'"), "\(program.errors)")
        _ = try await daemon.ctl("grant", app.app)
        let end = try await program.end()
        #expect(end.lines.last == "done")
        #expect(ownLines(end.errors).count == 1, "\(end.errors)")
    }

    /// The app has a connection for calls and one for its authorization. There is none left for locations.
    @Test func aProgramWithoutAConnectionReadsWhichLimitToRaise() async throws {
        let daemon = try await TestDaemon(
            receivers: ["simulated"], configuration: "[limits]\nconnections-per-user = 4\n")
        let app = try await FixtureApp("run-loop-app", daemon)
        _ = try await daemon.ctl("grant", app.app)
        let program = try app.start("main-run-loop")
        defer { program.signal(SIGKILL) }
        try await program.wait(for: "failure 0")
        try await eventually("the line") { program.errors.contains("limits.connections-per-user") }
        #expect(ownLines(program.errors).count == 1, "\(program.errors)")
    }

    /// Returns the library's own lines on standard error.
    private func ownLines(_ errors: String) -> [Substring] {
        errors.split(separator: "\n").filter { $0.hasPrefix("CoreLocation: ") }
    }

    @Test(arguments: ["delegate", "late", "task"])
    func aProgramWithoutARunLoop(mode: String) async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await FixtureApp("concurrency-app", daemon)
        _ = try await daemon.ctl("grant", app.app)
        let end = try await app.start(mode).end()
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.lines == ["status 4", "location", "location", "location", "done"])
    }

    /// The checks of isolation are made while the program runs.
    @Test func aProgramOnTheMainActorByDefaultIsCalledThere() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await FixtureApp("main-actor-app", daemon)
        _ = try await daemon.ctl("grant", app.app)
        let end = try await app.start().end()
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.lines == ["status 4", "location", "location", "location", "live update", "monitor []", "done"])
    }

    @Test func liveUpdatesAskAndSayWhatTheyLack() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await FixtureApp(
            "concurrency-app", daemon, texts: ["NSLocationWhenInUseUsageDescription": "to show the way"])
        let program = try app.start("live")
        defer { program.signal(SIGKILL) }
        var count = try await program.wait(for: "asking")
        _ = try await daemon.ctl("grant", app.app)
        count = try await program.wait(for: "location", "location", after: count)
        _ = try await daemon.ctl("grant", app.app, "--reduced")
        count = try await program.wait(for: "limited", after: count)
        _ = try await daemon.ctl("deny", app.app)
        count = try await program.wait(for: "denied", after: count)
        _ = try await daemon.ctl("grant", app.app)
        try await program.wait(for: "location", after: count)
    }

    @Test func aMonitorGoesOnWhereItWasLeft() async throws {
        let wire = try Wire()
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        // Keeps the port open: for a region alone, it rests between two fixes.
        try await daemon.grantSelf()
        var options = Options()
        options.pausesAutomatically = false
        let stream = try await daemon.subscribe(options)
        let app = try await FixtureApp("concurrency-app", daemon)
        _ = try await daemon.ctl("grant", app.app)
        let first = try app.start("monitor")
        // While an event is handled, the record has the one before it, so that a program can compare the two.
        var track = Track()
        try await eventually("home: \(first.lines); \(first.errors)") {
            wire.offer(track.next(at: 0))
            return first.lines.contains("home unknown -> satisfied false")
        }
        try await eventually("away: \(first.lines); \(first.errors)") {
            wire.offer(track.next(at: 20))
            return first.lines.contains("home satisfied -> unsatisfied false")
        }
        withExtendedLifetime(stream) {}
        try await first.wait(
            for: "kept []", "regions 0", "home unknown -> satisfied false", "home satisfied -> unsatisfied false")
        #expect(first.errors.contains("is open already"))
        #expect(!first.lines.contains { $0.hasPrefix("error") })
        first.signal(SIGKILL)
        _ = try await first.end()
        let second = try app.start("monitor")
        defer { second.signal(SIGKILL) }
        try await second.wait(for: "kept [\"home\", \"beacon\"]", "regions 0")
        // They are regions in the daemon, which the app's managers do not see.
        let sessions = try await daemon.ctl("sessions")
        #expect(sessions.output.contains("CLMonitor/places/:home"))
    }

    @Test func aServiceSessionAsksForWhatItNeeds() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let app = try await FixtureApp(
            "concurrency-app", daemon, texts: ["NSLocationAlwaysAndWhenInUseUsageDescription": "to keep a diary"])
        let program = try app.start("session")
        defer { program.signal(SIGKILL) }
        var count = try await program.wait(for: "asking true denied false always denied false")
        // The app reports a request in progress before the daemon has received it.
        var prompt: Prompt?
        try await eventually("the prompt") {
            prompt = try await daemon.call(MonitorPrompts.self, .init()).prompts.first
            return prompt != nil
        }
        #expect(prompt?.question == .always)
        _ = try await daemon.ctl("deny", app.app)
        count = try await program.wait(for: "asking false denied true", after: count)
        _ = try await daemon.ctl("grant", app.app, "--always")
        try await program.wait(for: "asking false denied false always denied false", after: count)
    }
}
