import Foundation
import LocationProtocol
import TestSupport
import Testing

/// The user's tool, as a user or a script uses it.
@Suite(.timeLimit(.minutes(15))) struct LocationctlTests {
    private func json(_ text: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    @Test(
        arguments: [
            ("nonsense", 2), ("statsu --json", 2), ("grant", 2), ("watch --json --gpx", 2), ("watch -n 0", 2),
            ("--help", 0), ("help", 0), ("help grant", 0), ("help bogus", 2), ("help region bogus", 2),
            ("watch --distance-filter -5", 2), ("watch --duration 5m", 2), ("deny", 2), ("reset exe:/x --self", 2),
            ("get --desired-accuracy exact", 2), ("decode /nonexistent.nmea", 1), ("status", 3),
            ("get --timeout inf", 2), ("record", 2), ("record FILE --duration -1", 2), ("record FILE", 3),
            ("get --timeout 1e30", 2), ("get --maximum-age inf", 2),
            ("get --runtime-directory /nonexistent", 3), ("--runtime-directory /nonexistent apps", 3),
        ] as [(String, Int32)])
    func theExitStatusWithoutADaemon(arguments: String, status: Int32) async throws {
        let result = try await Program.run(
            Program.path("locationctl"), arguments.split(separator: " ").map(String.init),
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": "/nonexistent"])
        #expect(result.status == status, "\(result.errors)")
        #expect((status == 0) == result.errors.isEmpty, "an error is told on standard error")
        #expect(status == 0 || result.errors.hasPrefix("locationctl: "), "\(result.errors)")
    }

    @Test func decisionsAndWhatIsShownOfThem() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let app = "exe:/usr/bin/foo"
        #expect(try await daemon.ctl("apps").output == "No app has requested the location, and none has a decision.\n")
        #expect(try await daemon.ctl("revoke", app).status == 1)
        #expect(try await daemon.ctl("grant", "foo").status == 2)
        for (arguments, status, lifetime) in [
            (["grant", app], "authorizedWhenInUse", "permanent"),
            (["grant", app, "--always"], "authorizedAlways", "permanent"),
            (["grant", app, "--once"], "authorizedWhenInUse", "once"),
            (["grant", app, "--until-tomorrow"], "authorizedWhenInUse", "untilTomorrow"),
            (["revoke", app], "denied", "permanent"), (["deny", app], "denied", "permanent"),
        ] {
            let result = try await Program.run(
                Program.path("locationctl"), arguments + ["--json"],
                environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime])
            #expect(result.status == 0, "\(result.errors)")
            let shown = try #require(try json(result.output) as? [String: Any])
            #expect(shown["status"] as? String == status)
            let decision = try #require(shown["decision"] as? [String: Any])
            #expect(decision["lifetime"] as? String == lifetime)
        }
        #expect(
            try await daemon.ctl("reset", app).output
                == "The decision about \(app)\(getuid() == 0 ? " (user root)" : "") was forgotten: "
                + "its next request prompts again.\n")
        #expect(try await daemon.ctl("apps", "--json").output == "[]\n")
    }

    @Test func decisionsAboutItself() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let app = try await daemon.ctlApp()
        // In a desktop's terminal, a grant would cover every program there.
        guard !app.hasPrefix("app:") else {
            let refused = try await daemon.ctl("grant", "--self")
            return #expect(refused.status == 1 && refused.errors.contains(app), "\(refused.errors)")
        }
        for (command, status) in [
            ("grant", "authorizedWhenInUse"), ("revoke", "denied"), ("reset", "notDetermined"), ("deny", "denied"),
        ] {
            let result = try await daemon.ctl(command, "--self", "--json")
            let shown = try #require(try json(result.output) as? [String: Any], "\(result.errors)")
            #expect(shown["app"] as? String == app)
            #expect(
                result.errors == (command == "grant" ? "locationctl: granting \(app), which is this locationctl\n" : "")
            )
            #expect(shown["status"] as? String == status)
        }
    }

    @Test(
        arguments: [
            ("help bogus", "there is no command \"bogus\": see `locationctl --help`"),
            ("watch --distance-filter -5", "--distance-filter must be 0 m or more"),
            ("watch --distance-filter 5m", "write the number of metres alone, without a unit"),
            ("watch --duration 5m", "write the number of seconds alone, without a unit"),
        ])
    func aMistakeSaysWhatIsRight(arguments: String, message: String) async throws {
        let result = try await Program.run(
            Program.path("locationctl"), arguments.split(separator: " ").map(String.init),
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": "/nonexistent"])
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    @Test(arguments: ["status", "apps", "sessions", "receivers", "satellites", "visits", "places", "doctor"])
    func everyTableIsAlsoJSON(command: String) async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let result = try await daemon.ctl(command, "--json")
        #expect(result.status == 0, "\(result.errors)")
        _ = try json(result.output)
        #expect(try await daemon.ctl(command).status == 0)
    }

    @Test func getWithoutAGrantSaysWhatToDo() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let waiting = try await daemon.ctl("get", "--timeout", "0.3")
        #expect(waiting.status == 4)
        #expect(waiting.output.isEmpty)
        let app = try await daemon.ctlApp()
        #expect(waiting.errors.contains("locationctl grant \(app) --when-in-use"), "\(waiting.errors)")
        _ = try await daemon.ctl("deny", app)
        #expect(try await daemon.ctl("get").status == 4)
        _ = try await daemon.ctl("grant", app)
        let given = try await daemon.ctl("get", "--json", "--timeout", "100")
        let location = try #require(try json(given.output) as? [String: Any])
        #expect(location["simulated"] as? Bool == true)
        #expect(location["latitude"] as? Double != nil)
        _ = try await daemon.ctl("disable")
        let off = try await daemon.ctl("get")
        #expect(off.status == 4)
        #expect(off.errors.contains("locationctl enable"), "\(off.errors)")
    }

    /// The user is not the one who has not answered.
    @Test func getFromADaemonThatHangs() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        defer { daemon.program.signal(SIGCONT) }
        try await daemon.halt()
        let result = try await daemon.ctl("get", "--timeout", "0.3")
        #expect(result.status == 3)
        #expect(result.errors.contains("has not answered"), "\(result.errors)")
    }

    @Test(arguments: ["--json", "--csv", "--gpx"])
    func whatIsWrittenIsWholeWhenItIsInterrupted(format: String) async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantCtl()
        let watch = try daemon.startCtl("watch", format)
        try await eventually("two locations") { watch.lines.count > 4 }
        watch.signal(SIGINT)
        let result = try await watch.end()
        #expect(result.status == 0)
        switch format {
        case "--json": for line in result.lines { _ = try json(line) }
        case "--csv":
            let columns = result.output.split(separator: "\r\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false).count
            }
            #expect(Set(columns) == [17])
        default:
            #expect(result.output.contains("<trkpt"))
            try await validate(result.output)
        }
    }

    /// Validates a track against the schema of GPX 1.1.
    private func validate(_ gpx: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/track.gpx"
        try gpx.write(toFile: file, atomically: true, encoding: .utf8)
        let schema = Project.folder + "/Tests/SystemTests/Support/TrackGPX.xsd"
        let result = try await Program.run(
            "/usr/bin/xmllint", ["--noout", "--schema", schema, file])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func countEndsIt() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantCtl()
        let result = try await daemon.ctl("watch", "-n", "2", "--json")
        #expect(result.status == 0)
        #expect(result.lines.count == 2)
    }

    /// A track on a full disk must not look complete.
    @Test(arguments: ["json", "csv", "gpx"]) func outputThatCannotBeWrittenIsAnError(format: String) async throws {
        let folder = try TemporaryFolder()
        let log = folder.path + "/log.nmea"
        try (0..<2000).map { Sentences.epoch($0) }.joined().write(toFile: log, atomically: true, encoding: .utf8)
        let command = "exec '\(Program.path("locationctl"))' decode --format \(format) '\(log)' >/dev/full"
        let result = try await Program.run("/bin/sh", ["-c", command])
        #expect(result.status == 1)
        #expect(result.errors == "locationctl: cannot write to standard output: No space left on device\n")
    }

    @Test func decodeReadsALogWithoutADaemon() async throws {
        let folder = try TemporaryFolder()
        let log = folder.path + "/log.nmea"
        try ((0..<5).map { Sentences.epoch($0) }.joined() + "$GPGGA,garbage*00\r\n").write(
            toFile: log, atomically: true, encoding: .utf8)
        let result = try await Program.run(Program.path("locationctl"), ["decode", log])
        #expect(result.status == 0)
        let timestamps = try result.lines.map { (try json($0) as? [String: Any])?["timestamp"] as? String }
        #expect(timestamps == (0..<5).map(Sentences.timestamp))
        #expect(result.errors.contains("1 wrong checksums"), "\(result.errors)")
        let csv = try await Program.run(Program.path("locationctl"), ["decode", log, "--format", "csv"])
        #expect(csv.output.split(separator: "\r\n").count == 6)
        let gpx = try await Program.run(Program.path("locationctl"), ["decode", log, "--format", "gpx"])
        try await validate(gpx.output)
        #expect(gpx.output.contains("<trkpt lat=\"47.5\" lon=\"8.75\"><ele>400.000</ele>"))
    }
}
