import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The dashboard and the doctor in the language of the terminal's user.
@Suite(.timeLimit(.minutes(15)), .enabled(if: LanguageInstallation.isPossible, "needs locales and gettext"))
struct LanguageScreenTests {
    private static let now = Timestamp("2026-06-01T12:00:00.000Z")!

    private static func app(
        _ app: String, _ name: String, _ status: AuthorizationStatus, _ level: DecisionSummary.Level
    ) -> AppSummary {
        var summary = AppSummary(
            key: AppKey(uid: 1000, app: AppIdentity(app)!),
            authorization: Authorization(status: status, accuracy: .full, servicesEnabled: true),
            decision: DecisionSummary(level: level))
        summary.displayName = name
        return summary
    }

    /// A daemon with an app that looks, and one that is denied.
    private func daemon() async throws -> ScriptedDaemon {
        let daemon = try await ScriptedDaemon(folder: nil)
        let grant = Authorization(status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)
        let maps = Self.app("flatpak:org.example.Maps", "地図", .authorizedWhenInUse, .whenInUse)
        let game = Self.app("snap:game", "Game", .denied, .denied)
        let use = IndicatorEntry(
            key: AppKey(uid: 1000, app: AppIdentity(maps.app)!), active: true, background: false, accuracy: .full,
            lastUse: Self.now)
        try await daemon.set(GetAuthorization.self, .init(authorization: grant))
        try await daemon.setLists(apps: [maps, game], uses: [use])
        try await daemon.listen(management: true)
        return daemon
    }

    /// Returns the lines of a program in a terminal of 200 columns, and its exit status.
    private func lines(
        _ installation: LanguageInstallation, _ language: String, _ arguments: [String]
    ) async throws -> (lines: [String], status: Int32?) {
        let terminal = try PseudoTerminal(columns: 200, rows: 50)
        let variables = ["LANGUAGE": language, "NO_COLOR": "1"]
        let program = try RunningProgram(
            installation.program, arguments, environment: installation.environment.merging(variables) { $1 },
            input: terminal.slave, output: terminal.slave)
        // A terminal that nobody reads holds 4 KB, and then its program waits.
        try await eventually("the end") {
            _ = terminal.text
            return program.hasEnded
        }
        return (terminal.text.split(whereSeparator: \.isNewline).map(String.init), program.exitStatus)
    }

    /// Returns the column of a text in a line, or `nil` if it is not there. Letters of East Asia have two columns.
    private func column(of text: String, in line: String) -> Int? {
        guard let range = line.range(of: text) else { return nil }
        return line[..<range.lowerBound].unicodeScalars.reduce(0) { sum, scalar in
            switch scalar.value {
            case 0x2E80...0x9FFF, 0xAC00...0xD7A3, 0xFF00...0xFF60: sum + 2
            default: sum + 1
            }
        }
    }

    @Test func theColumnsOfTheDashboardAreAlignedInJapanese() async throws {
        let installation = try await LanguageInstallation(languages: "ja")
        let daemon = try await daemon()
        let (screen, status) = try await lines(
            installation, "ja", ["dashboard", "--once", "--runtime-directory", daemon.runtime])
        #expect(status == 0)
        let heading = try #require(screen.first { $0.contains("最終使用") }, "\(screen)")
        let maps = try #require(screen.first { $0.contains("地図") }, "\(screen)")
        let game = try #require(screen.first { $0.contains("Game") }, "\(screen)")
        // Each row has a word below each heading: the access, the last use, and the hours.
        for (title, first, second) in [
            ("許可", "使用中", "拒否"), ("最終使用", "現在", "なし"), ("直近", "····", "····"),
        ] {
            let place = try #require(column(of: title, in: heading), "\(heading)")
            #expect(column(of: first, in: maps) == place, "\(heading)\n\(maps)")
            #expect(column(of: second, in: game) == place, "\(heading)\n\(game)")
        }
        #expect(screen.contains { $0.hasPrefix("locationd 7.7.7  位置情報サービスはオンです") }, "\(screen)")
    }

    /// A finding is German for a person, and English for a program.
    @Test func theDoctorFindsInGerman() async throws {
        let installation = try await LanguageInstallation(languages: "de")
        let root = try TemporaryFolder()
        let command = ["doctor", "--runtime-directory", root.path + "/none", "--system-root", root.path]
        let (german, status) = try await lines(installation, "", command)
        #expect(
            german.contains { $0.hasPrefix("PROBLEM  den öffentlichen Socket ") && $0.hasSuffix(" gibt es nicht") },
            "\(german)")
        #expect(
            german.contains(
                "Tun Sie zuerst dies: starten Sie locationd, oder geben Sie seinen Ordner mit --runtime-directory an."),
            "\(german)")
        let (json, statusOfJSON) = try await lines(installation, "", command + ["--json"])
        #expect(json.joined().contains(#""what":"the public socket "#), "\(json)")
        let pipe = try await Program.run(installation.program, command, environment: installation.environment)
        #expect(pipe.output.contains("PROBLEM  the public socket "), "\(pipe.output)")
        #expect([status, statusOfJSON, pipe.status] == [1, 1, 1])
    }
}
