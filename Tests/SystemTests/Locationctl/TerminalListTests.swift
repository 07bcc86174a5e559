import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The lists in a real terminal.
@Suite(.timeLimit(.minutes(15))) struct TerminalListTests {
    /// Berlin's rules, which need no file of zones.
    private static let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"

    /// Runs locationctl in a terminal, and returns what that shows.
    private func run(
        _ arguments: String, _ runtime: String, columns: UInt16 = 80, _ environment: [String: String] = [:]
    ) async throws -> String {
        let terminal = try PseudoTerminal(columns: columns, rows: 24)
        let variables = [
            "LOCATIOND_RUNTIME_DIRECTORY": runtime, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "xterm",
            "TZ": Self.berlin,
        ]
        let program = try RunningProgram(
            Program.path("locationctl"), arguments.split(separator: " ").map(String.init),
            environment: variables.merging(environment) { $1 }, input: terminal.slave, output: terminal.slave)
        var text = ""
        // Without a reader of the terminal, the program would block.
        try await eventually("the end of \(arguments)") {
            text = terminal.text
            return program.hasEnded
        }
        text = terminal.text
        #expect(program.exitStatus == 0, "\(text)")
        return text.replacing("\r\n", with: "\n")
    }

    private func daemon() async throws -> PresetDaemon {
        let sessions: JSONValue = [
            "sessions": [
                [
                    "app": "exe:/opt/a/rather/long/folder/of/a/program/that/navigates/bin/navigator", "uid": 1000,
                    "pid": 77, "method": "Subscribe", "state": "active", "background": false,
                    "since": "2026-06-01T12:00:00.000Z", "delivered": 2, "replaced": 0,
                ],
                [
                    "app": "app:b", "uid": 1000, "pid": 78, "method": "GetLocation", "state": "active",
                    "background": false, "since": "2026-12-01T12:00:00.000Z", "delivered": 0, "replaced": 0,
                ],
            ]
        ]
        return try await PresetDaemon(["ListSessions": .replies([sessions])])
    }

    @Test func aListFitsTheWindowAndHasLocalTime() async throws {
        let daemon = try await daemon()
        let text = try await run("sessions", daemon.runtime, columns: 100)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
        #expect(text.contains("SINCE (CEST/CET)") && text.contains("2026-06-01 14:00"), "\(text)")
        #expect(text.contains("2026-12-01 13:00") && text.contains("…"), "\(text)")
        #expect(!text.contains("\u{1B}"), "no colour")
        let universal = try await run("sessions --utc", daemon.runtime, columns: 100)
        #expect(universal.contains("SINCE (UTC)") && universal.contains("2026-06-01 12:00"), "\(universal)")
        let coloured = try await run("sessions", daemon.runtime, columns: 100, ["NO_COLOR": ""])
        #expect(coloured.contains("\u{1B}[32mactive\u{1B}[0m"), "\(coloured)")
    }

    @Test(arguments: ["-l", "--full"]) func aListInFull(option: String) async throws {
        let daemon = try await daemon()
        let text = try await run("sessions \(option)", daemon.runtime, columns: 40)
        #expect(text.contains("exe:/opt/a/rather/long/folder/of/a/program/that/navigates/bin/navigator  1000  77"))
    }

    @Test(arguments: ["get", "watch -n1"]) func aTerminalWithoutUnicodeGetsASCII(command: String) async throws {
        let daemon = try await TestDaemon(receivers: ["simulated"])
        try await daemon.grantCtl()
        let text = try await run(command, daemon.runtime, ["LC_ALL": "C"])
        #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
        #expect(text.hasPrefix("TIME (CE") && text.contains("LATITUDE") && text.contains(" ~"), "\(text)")
    }
}
