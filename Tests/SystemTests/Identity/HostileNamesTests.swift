import Foundation
import LocationProtocol
import TestSupport
import Testing

/// Names that control a terminal, on every way into the programs: none of it comes out of them.
///
/// Attack: a program, a file or a device is named so that a message about it clears the screen, writes a line that
/// nobody wrote, or reads backwards.
@Suite(.timeLimit(.minutes(15))) struct HostileNamesTests {
    /// ESC, BEL, CSI as a C1 control, a line break, two that reorder text, two that break lines, and DEL.
    private static let characters = "\u{1B}[2J\u{7}\u{9B}31m\nforged: line\r\u{202E}\u{2066}\u{2028}\u{85}\u{7F}"
    /// The same for an argument that may not have a slash.
    private static let name = "a\(characters)z"

    /// Expects that `output` has nothing that controls a terminal, and no line that begins inside a name.
    private func expectHarmless(_ output: String, _ what: String, _ location: SourceLocation = #_sourceLocation) {
        let harmful = output.unicodeScalars.filter { scalar in
            scalar != "\n"
                && [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        #expect(harmful.isEmpty, "\(what): \(output.debugDescription)", sourceLocation: location)
        #expect(
            !output.split(separator: "\n").contains { $0.hasPrefix("forged: line") }, "\(what): \(output)",
            sourceLocation: location)
    }

    private func run(
        _ program: String, _ arguments: [String], status: ClosedRange<Int32> = 1...64,
        environment: [String: String] = ["LOCATIOND_RUNTIME_DIRECTORY": "/nonexistent"]
    ) async throws {
        let result = try await Program.run(Program.path(program), arguments, environment: environment)
        let what = "\(program) \(arguments.joined(separator: " "))".debugDescription
        #expect(status.contains(result.status), "\(what): \(result.errors)")
        expectHarmless(result.output, what)
        expectHarmless(result.errors, what)
    }

    @Test(arguments: [
        [name], ["--\(name)"], ["grant", "exe:/\(name)"], ["grant", "exe:/x", "--uid", name],
        ["deny", "--\(name)", "x"],
        ["watch", "-n", name], ["watch", "--desired-accuracy", name], ["watch", "--desired-accuracy=\(name)"],
        ["get", "--runtime-directory", "/\(name)"], ["status", "--runtime-directory", name],
        ["decode", "/\(name)"], ["decode", "/", "--format", name], ["report", "/\(name)", "-o", "-"],
        ["report", "/dev/null", "-o", "/nonexistent/\(name)"], ["manifest", "from-plist", "/\(name)"],
        ["simulate", "--at", name], ["simulate", "--route", "/\(name)"], ["region", "add", name, "x", "y"],
        ["region", "add", name, "1,2", "100"], ["region", "add", "a", "1,2", "100", "--wake", "\(name)"],
        ["answer", "1", name], ["answer", name, "deny"], ["place", name], ["help", name],
    ])
    func anArgumentOfLocationctl(arguments: [String]) async throws {
        try await run("locationctl", arguments, status: 0...64)
    }

    @Test(arguments: [
        [name], ["--\(name)"], ["--config", "/\(name)"], ["--log-level", name], ["--receiver", name],
        ["--receiver", "serial:/\(name)@1"], ["--receiver", "replay:/\(name)@x"], ["--check", "--config", "/\(name)"],
        ["--runtime-directory", "/proc/\(name)", "--state-directory", "/proc/\(name)", "--config", "/\(name)"],
    ])
    func anArgumentOfLocationd(arguments: [String]) async throws {
        try await run("locationd", arguments)
    }

    @Test(arguments: [[name], ["--config", "/\(name)"], ["--log-level", name], ["--check", "--config", "/\(name)"]])
    func anArgumentOfLocationdPublish(arguments: [String]) async throws {
        try await run("locationd-publish", arguments)
    }

    @Test(arguments: [[name], ["--user", name], ["--user", "0", name]])
    func anArgumentOfLocationdPeers(arguments: [String]) async throws {
        try await run("locationd-peers", arguments)
    }

    /// The text in a file of TOML, where these characters are escaped.
    private static let written = #"a\u001b[2J\u0007\u009b31m\nforged: line\r\u202e\u2066\u2028\u0085\u007fz"#

    @Test(arguments: [
        "log-level = \"\(written)\"", "\"\(written)\" = 1", "in-use = \"\(written)\"",
        "[[receiver]]\nsource = \"\(written)\"", "[[receiver]]\nsource = \"serial:/x\"\nname = \"\(written)\"\nx = 1",
        "[[receiver]]\nsource = \"serial:/x\"\nprofile = \"\(written)\"", "[[restricted]]\napp = \"\(written)\"",
        "[gpsd]\nlisten = [\"\(written)\"]", "[time]\nchrony-socket = \"\(written)\"", "[\"\(written)\"]\na = 1",
        "[time]\npps = \"\(written)\"", "x = \u{202E}", "x = \"\u{1B}[2J\"",
    ])
    func aValueOfTheConfiguration(text: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/\(Self.name.replacingOccurrences(of: "/", with: "")).toml"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try await run("locationd", ["--check", "--config", file])
    }

    @Test(arguments: [
        "broker = \"\(written)\"", "\"\(written)\" = 1", "broker = \"mqtt://x\"\nformat = \"\(written)\"",
        "broker = \"mqtt://x\"\ntopic = \"\(written)\"\nformat = \"x\"", "broker = \"mqtt://\(written)\"",
        "log-level = \"\(written)\"", "broker = \"mqtts://x\"\n[tls]\nca = \"\(written)\"\nx = 1",
    ])
    func aValueOfThePublishersConfiguration(text: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/\(Self.name).toml"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try await run("locationd-publish", ["--check", "--config", file])
    }

    /// Bytes that are not UTF-8, on the way of a shell's pattern.
    @Test(arguments: [
        "locationctl decode", "locationctl grant --uid 1", "locationd --config", "locationd-publish --config",
    ])
    func bytesThatAreNotText(command: String) async throws {
        let words = command.split(separator: " ")
        let program = ([Program.path(String(words[0]))] + words.dropFirst().map(String.init)).joined(separator: " ")
        let script = "exec \(program) $'/\\xff\\xfe\\x1b[2J\\xc2'"
        let result = try await Program.run("/bin/bash", ["-c", script])
        #expect(result.status != 0)
        expectHarmless(result.errors, command)
        expectHarmless(result.output, command)
    }

    /// The names that the daemon stores and lists: an app's name, a manifest's, a region's, a reason and a receiver's
    /// message.
    @Test func whatTheDaemonLists() async throws {
        let daemon = try await TestDaemon(receivers: ["replay:/\(Self.name)", "serial:/\(Self.name)"])
        let program = daemon.folder.path + "/a\u{202E}\u{2066}\u{2028}z"
        try await Program.copy("/bin/true", to: program)
        _ = try await daemon.ctl("grant", "exe:\(program)", "--always")
        for arguments in [
            ["grant", "exe:\(program)"], ["deny", "exe:\(program)"], ["apps"], ["receivers"], ["status"], ["doctor"],
            ["sessions"], ["log"], ["indicator"], ["satellites"], ["reset", "exe:\(program)"],
            ["revoke", "exe:\(program)"], ["grant", "flatpak:\u{202E}x"], ["grant", "exe:\(program) "],
            ["visits", "--clear", "--app", "exe:\(program)"], ["region", "remove", Self.name],
        ] {
            for format in [[], ["--json"]] {
                try await run(
                    "locationctl", arguments + format, status: 0...64,
                    environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime])
            }
        }
        _ = try await daemon.ctl("grant", "exe:\(program)", "--always")
        let listed = try await daemon.ctl("apps", "--json").output
        #expect(listed.contains(#"a\u202e\u2066\u2028z"#), "\(listed)")
        expectHarmless(daemon.log, "the log")
    }

    /// A report of a log that has such names in it, and is named so.
    @Test func aReport() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/\(Self.name).jsonl"
        let receiver = #"a\u202e\u2066\u2028\u009bz"#
        let lines = (0..<100).map { second in
            let time = "2026-03-14T09:\(10 + second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z"
            return #"{"timestamp":"\#(time)","latitude":1.\#(100 + second),"longitude":2,"receiver":"\#(receiver)"}"#
        }
        try lines.joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
        try await run("locationctl", ["report", file, "-o", "-"], status: 0...0)
    }
}
