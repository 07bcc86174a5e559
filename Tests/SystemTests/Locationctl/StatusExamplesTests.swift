import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The examples for status bars and shells, with the real daemon.
@Suite(.timeLimit(.minutes(15))) struct StatusExamplesTests {
    private static let folder = Project.folder + "/Examples/status/"

    private func text(_ file: String) throws -> String {
        try String(contentsOfFile: Self.folder + file, encoding: .utf8)
    }

    private func environment(_ daemon: TestDaemon) -> [String: String] {
        let programs = (Program.path("locationctl") as NSString).deletingLastPathComponent
        return [
            "LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime, "PATH": programs + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        ]
    }

    @Test func theModuleOfWaybar() async throws {
        let lines = try text("waybar.jsonc").split(separator: "\n").filter { !$0.hasPrefix("//") }
        let json = try JSONSerialization.jsonObject(with: Data(lines.joined(separator: "\n").utf8))
        let module = try #require((json as? [String: [String: Any]])?["custom/locationd"])
        #expect(module["return-type"] as? String == "json")
        let command = try #require(module["exec"] as? String)
        let daemon = try await TestDaemon(receivers: [])
        let program = try RunningProgram("/bin/sh", ["-c", "exec " + command], environment: environment(daemon))
        try await eventually("the first line") { !program.lines.isEmpty }
        let first = try JSONSerialization.jsonObject(with: Data(program.lines[0].utf8)) as? [String: String]
        #expect(first == ["text": "", "tooltip": "", "class": "idle"])
        let classes = try text("waybar.css")
        for name in ["active", "background"] { #expect(classes.contains("#custom-locationd.\(name) {")) }
    }

    @Test func thePromptOfBash() async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        let show = "set -eu; . \(Self.folder)prompt.bash; eval \"$PROMPT_COMMAND\"; echo end"
        let idle = try await Program.run("/bin/bash", ["--norc", "-c", show], environment: environment(daemon))
        #expect(idle.status == 0 && idle.output == "end\n", "\(idle.output)\(idle.errors)")
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        _ = try await updates.next()
        let active = try await Program.run("/bin/bash", ["--norc", "-c", show], environment: environment(daemon))
        #expect(active.lines.first?.hasPrefix("● exe:/") == true, "\(active.output)\(active.errors)")
        _ = try await updates.next()
    }

    @Test(.enabled(if: access("/usr/bin/tmux", X_OK) == 0, "needs tmux"))
    func theStatusLineOfTmux() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let result = try await Program.run(
            "/usr/bin/tmux",
            [
                "-S", daemon.folder.path + "/tmux", "-f", Self.folder + "tmux.conf", "new-session", "-d", "sleep 60",
                ";", "show", "-g", "status-right", ";", "list-keys", "-T", "prefix", "L", ";", "kill-server",
            ], environment: environment(daemon))
        #expect(result.output.contains("locationctl indicator --follow --line"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("locationctl dashboard"))
    }
}
