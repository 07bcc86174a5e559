import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// The programs of the package Examples with the real daemon.
///
/// They are built with the tests, as targets of this package with the same sources. The package itself would build
/// all of its dependencies a second time (`make examples` does).
@Suite(.timeLimit(.minutes(15))) struct ExamplesTests {
    private static let folder = Project.folder + "/Examples"

    /// Returns the program, with the texts of the examples' Info.plist.
    private func example(_ name: String, _ daemon: TestDaemon) async throws -> FixtureApp {
        let plist = try Data(contentsOf: URL(filePath: Self.folder + "/Info.plist"))
        let texts = try PropertyListSerialization.propertyList(from: plist, format: nil) as? [String: String]
        return try await FixtureApp("example-" + name, daemon, texts: #require(texts))
    }

    /// Answers the open prompt, and returns the description that the user saw.
    private func answer(_ answer: PromptAnswer, _ daemon: TestDaemon) async throws -> String? {
        var prompt: Prompt?
        try await eventually("a prompt") {
            prompt = try await daemon.call(MonitorPrompts.self, .init()).prompts.first
            return prompt != nil
        }
        let open = try #require(prompt)
        _ = try await daemon.call(AnswerPrompt.self, .init(id: open.id, answer: answer))
        return open.description
    }

    /// Returns a daemon that replays a track.
    private func daemon(_ track: Track, speed: Int) async throws -> TestDaemon {
        let folder = try TemporaryFolder()
        let file = try track.write(to: folder, as: "track.nmea")
        return try await TestDaemon(receivers: ["replay:\(file)@\(speed)"], folder: folder)
    }

    /// Returns the lines of a file that a program writes, or none if it does not exist yet.
    private func rows(of path: String) -> [String] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    // MARK: here

    @Test func oneLocation() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = try await example("here", daemon)
        let program = try app.start()
        #expect(try await answer(.whileUsing, daemon) == "to print where you are")
        let result = try await program.end()
        #expect(result.status == 0, "\(result.errors)")
        let line = try #require(result.lines.first)
        let match = try #require(line.wholeMatch(of: /(-?\d+\.\d{5}) (-?\d+\.\d{5}) within (\d+) m/), "\(line)")
        // The simulated walk goes around an island in Stockholm.
        #expect(try abs(#require(Double(match.1)) - 59.325) < 0.005)
        #expect(try abs(#require(Double(match.2)) - 18.085) < 0.01)
        // There is no second prompt.
        #expect(try await app.start("kilometer").end().status == 0)

        _ = try await daemon.ctl("deny", app.app)
        let denied = try await app.start().end()
        #expect(denied.status == 4)
        #expect(denied.errors == "here: the user denied the location\n")
        let mistaken = try await app.start("close").end()
        #expect(mistaken.status == 2)
        #expect(mistaken.errors.hasPrefix("here: one of bestForNavigation, best, "))
        try await daemon.kill()
        let alone = try await app.start().end()
        #expect(alone.status == 1)
        #expect(alone.errors.hasPrefix("here: locationd is not reachable at \(daemon.runtime)/"))
    }

    // MARK: geofence

    @Test func crossingsAreNotified() async throws {
        // At home, away to the north, and back, each for longer than a busy machine holds up the daemon.
        var track = Track()
        track.go(600, at: 0)
        track.go(100, at: 15)
        track.go(600, at: 0)
        track.go(100, at: -15)
        track.go(10_000, at: 0)
        let daemon = try await daemon(track, speed: 100)
        let app = try await example("geofence", daemon)
        let shown = app.folder.path + "/shown"
        try "#!/bin/sh\nfor text; do :; done; echo \"$text\" >>\(shown)\n"
            .write(toFile: app.folder.path + "/notify-send", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: app.folder.path + "/notify-send")
        _ = try await daemon.ctl("grant", app.app, "--when-in-use")
        let program = try RunningProgram(
            app.folder.path + "/example-geofence", ["home", "47.5", "8.75", "200"],
            environment: [
                "LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime, "PATH": app.folder.path + ":/usr/bin:/bin",
            ])
        defer { program.signal(SIGKILL) }
        try await program.wait(for: "You have left home.", "Welcome to home.")
        try await eventually("the desktop's notifications") {
            // Two notifications may be shown at the same time, and so in either order.
            Set(rows(of: shown)) == Set(program.lines)
        }
        program.signal(SIGKILL)
        _ = try await program.end()
        #expect(try await app.start("home", "off").end().status == 0)
        #expect(try await app.start("home").end().status == 2)
    }

    // MARK: speedometer

    @Test func speedsAndPauses() async throws {
        var track = Track()
        track.go(120, at: 10)
        track.go(300, at: 0)
        track.go(1200, at: 10)
        let daemon = try await daemon(track, speed: 40)
        let app = try await example("speedometer", daemon)
        let program = try app.start()
        defer { program.signal(SIGKILL) }
        var count = try await program.wait(for: "waiting for your answer")
        #expect(try await answer(.whileUsing, daemon) == "Shows how fast and how far you go.")
        count = try await program.wait(for: "  36 km/h to 000°", "stationary", "under way", "  36 km/h", after: count)
        _ = try await daemon.ctl("revoke", app.app)
        try await program.wait(for: "not allowed", after: count)
        #expect(try await program.end().status == 4)
    }

    // MARK: trip

    @Test func metresAddUp() async throws {
        var track = Track()
        track.go(3600, at: 20)
        let daemon = try await daemon(track, speed: 20)
        let app = try await example("trip", daemon)
        let program = try app.start()
        defer { program.signal(SIGKILL) }
        var count = try await program.wait(for: "waiting for your answer")
        _ = try await answer(.whileUsing, daemon)
        count = try await program.wait(for: "off we go", after: count)
        try await eventually("some metres") { program.lines.count >= count + 10 }
        let metres = program.lines[count..<count + 10].compactMap { Double($0.dropLast(2)) }
        #expect(metres.count == 10 && metres == metres.sorted(), "\(metres)")
        // Each step is a whole number of seconds at 20 m/s, with a resolution of 2 cm in the receiver's sentences.
        for step in zip(metres.dropFirst(), metres).map({ $0 - $1 }) {
            #expect(step >= 19 && abs((step / 20).rounded() * 20 - step) < 1.5, "\(metres)")
        }
        _ = try await daemon.ctl("revoke", app.app)
        try await program.wait(for: "not allowed", after: count)
        #expect(try await program.end().status == 4)
    }

    // MARK: fences

    /// Thirty places, 3 km apart along a road: more than an app may have regions, and the last is out of reach of the
    /// first regions.
    @Test func morePlacesThanRegions() async throws {
        let journey = try await Journey()
        let app = try await example("fences", journey.daemon)
        let file = app.folder.path + "/places.csv"
        try (0..<30).map { "p\($0), \(Track.latitude(north: Double($0) * 3000)), 8.75, 150\n" }.joined()
            .write(toFile: file, atomically: true, encoding: .utf8)
        _ = try await journey.daemon.ctl("grant", app.app, "--when-in-use")
        let program = try app.start(file)
        defer { program.signal(SIGKILL) }
        try await journey.go(at: 0, until: "the first place: \(program.lines)") { program.lines == ["entered p0"] }
        for place in 1..<30 {
            try await journey.drive(3000, at: 30)
            // It waits there, because more time passes on the way than the program has.
            try await journey.go(at: 0, until: "p\(place): \(program.lines)\(program.errors)") {
                program.lines.contains("entered p\(place)")
            }
        }
        #expect(program.lines == ["entered p0"] + (1..<30).flatMap { ["left p\($0 - 1)", "entered p\($0)"] })
    }

    // MARK: run

    @Test func aRunWithAPauseThatIsCutOff() async throws {
        let journey = try await Journey()
        let app = try await example("run", journey.daemon)
        let file = app.folder.path + "/morning.gpx"
        _ = try await journey.daemon.ctl("grant", app.app, "--when-in-use")
        let keys = Pipe()
        let program = try RunningProgram(
            app.folder.path + "/example-run", [file],
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": journey.daemon.runtime],
            input: keys.fileHandleForReading.fileDescriptor)
        defer { program.signal(SIGKILL) }
        func metres(_ program: RunningProgram) throws -> Int {
            guard !program.hasEnded else { throw Overdue(what: "metres: \(program.lines) \(program.errors)") }
            return program.lines.compactMap { $0.hasSuffix(" m") ? Int($0.dropLast(2)) : nil }.last ?? 0
        }
        try await journey.go(at: 3, until: "100 m: \(program.lines)") { try metres(program) >= 100 }
        keys.fileHandleForWriting.write(Data("p\n".utf8))
        try await program.wait(for: "paused")
        let before = try metres(program)
        _ = try await journey.go(600, at: 3)
        keys.fileHandleForWriting.write(Data("p\n".utf8))
        let count = try await program.wait(for: "going on")
        try await journey.go(at: 3, until: "100 m more: \(program.lines)") { try metres(program) >= before + 100 }
        // The distance during the pause does not count: 600 s at 3 m/s would be 1,800 m at once.
        let later = program.lines.dropFirst(count).compactMap { $0.hasSuffix(" m") ? Int($0.dropLast(2)) : nil }
        #expect(zip([before] + later, later).allSatisfy { $1 - $0 < 1000 }, "\(program.lines)")
        program.signal(SIGKILL)
        _ = try await program.end()
        #expect(!FileManager.default.fileExists(atPath: file))

        let more = Pipe()
        let second = try RunningProgram(
            app.folder.path + "/example-run", [file],
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": journey.daemon.runtime],
            input: more.fileHandleForReading.fileDescriptor)
        defer { second.signal(SIGKILL) }
        try await second.wait(for: "going on after ")
        try await journey.go(at: 3, until: "300 m: \(second.lines)") { try metres(second) >= before + 200 }
        more.fileHandleForWriting.write(Data("s\n".utf8))
        #expect(try await second.end().status == 0)
        let gpx = try String(contentsOfFile: file, encoding: .utf8)
        #expect(gpx.components(separatedBy: "<trkseg>").count == 4, "\(gpx.prefix(300))")
        #expect(!FileManager.default.fileExists(atPath: file + ".part"))
    }

    // MARK: tracker

    @Test func theTrackerIsStartedForEachStep() async throws {
        var track = Track()
        track.go(7200, at: 10)
        let daemon = try await daemon(track, speed: 100)
        let app = try await example("tracker", daemon)
        let file = app.folder.path + "/track.csv"
        let program = try app.startThroughSocket(app.folder.path + "/wake", file)
        defer { program.signal(SIGTERM) }
        #expect(
            try await answer(.always, daemon) == "Writes down where you have been, also when you do not look.")
        // The tracker exits after ten seconds without an event, and is started again for the next one. Because time
        // passes a hundred times as fast here, events also arrive while it runs, so the test ends it.
        try await eventually("the first row") { !rows(of: file).isEmpty }
        let first = try #require(program.lines.first?.split(separator: " ").last.flatMap { Int32($0) })
        kill(first, SIGKILL)
        let count = rows(of: file).count
        try await eventually("a row of another process") { program.lines.count >= 2 && rows(of: file).count > count }
        let written = rows(of: file)
        let latitudes = written.compactMap { $0.split(separator: ",").dropFirst().first }.compactMap { Double($0) }
        #expect(latitudes.count == written.count && latitudes == latitudes.sorted(), "\(written)")
        let times = written.compactMap { $0.split(separator: ",").first }
        #expect(times.allSatisfy { $0.hasPrefix("2026-06-01T1") } && times == times.sorted(), "\(times)")
    }

    /// Checks the units with systemd-analyze, if it is installed.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/systemd-analyze")),
        arguments: [
            ("tracker", "systemd", "%h/.local/lib/tracker/tracker"), ("diary", "Sources/diary", "/usr/local/bin/diary"),
        ])
    func theUnitsAreRight(name: String, place: String, program: String) async throws {
        let folder = try TemporaryFolder()
        for unit in ["\(name).socket", "\(name).service"] {
            let text = try String(contentsOfFile: "\(Self.folder)/\(place)/\(unit)", encoding: .utf8)
            #expect(unit.hasSuffix(".socket") || text.contains("ExecStart=\(program) "))
            // The program need not be installed here.
            try text.replacing(program, with: "/bin/true")
                .write(toFile: folder.path + "/" + unit, atomically: true, encoding: .utf8)
        }
        let result = try await Program.run(
            "/usr/bin/systemd-analyze", ["verify", "--user", "--man=no", "\(folder.path)/\(name).socket"],
            environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(result.status == 0 && !result.errors.contains(name), "\(result.errors)")
    }

    // MARK: The package

    /// The package builds the programs that are tested here, from libraries that this package offers.
    @Test(
        .enabled(
            if: (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
                FileManager.default.isExecutableFile(atPath: $0 + "/swift")
            }))
    func thePackageHasTheProgramsThatAreTested() async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "/usr/bin/env",
            [
                "swift", "package", "--package-path", Self.folder, "--scratch-path", folder.path + "/build",
                "--cache-path", folder.path + "/cache", "dump-package",
            ])
        let package = try JSONDecoder().decode(PackageDescription.self, from: Data(result.output.utf8))
        let programs = try FileManager.default.contentsOfDirectory(atPath: Self.folder + "/Sources")
        #expect(package.targets.map(\.name).sorted() == programs.sorted())
        for program in programs {
            #expect(FileManager.default.isExecutableFile(atPath: Program.path("example-" + program)), "\(program)")
            let sources = try FileManager.default.contentsOfDirectory(atPath: "\(Self.folder)/Sources/\(program)")
            #expect(sources.contains("main.swift"))
            for source in sources {
                let text = try String(contentsOfFile: "\(Self.folder)/Sources/\(program)/\(source)", encoding: .utf8)
                let count = text.split(separator: "\n", omittingEmptySubsequences: false).count
                #expect(count <= 141, "\(program)/\(source)")
            }
        }
    }

    private struct PackageDescription: Decodable {
        struct Target: Decodable {
            let name: String
        }

        let targets: [Target]
    }
}
