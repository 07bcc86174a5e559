import Foundation
import LocationProtocol
import TestSupport
import Testing

/// `grant --self` in the unit of a desktop's terminal, whose programs are all one app to the daemon.
@Suite(
    .timeLimit(.minutes(15)), .enabled(if: ControlGroupFolder.isPossible, "needs root and a writable cgroup2"))
struct OwnAppTests {
    private func run(_ command: [String], in unit: String, _ daemon: TestDaemon) async throws -> Program.Result {
        let manager = "user.slice/user-0.slice/user@0.service/app.slice"
        let group = try ControlGroupFolder("\(manager)/\(unit)")
        let whole = group.launcher + command
        return try await Program.run(
            whole[0], Array(whole.dropFirst()), environment: ["LOCATIOND_RUNTIME_DIRECTORY": daemon.runtime])
    }

    /// Attack, or accident: `grant --self` in a terminal gives the location to every program in that terminal.
    @Test func aTerminalIsNotGranted() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let shell = ["/bin/sh", "-c", "\"$0\" grant --self; exit $?", Program.path("locationctl")]
        let result = try await run(shell, in: "app-org.kde.konsole-\(getpid()).scope", daemon)
        #expect(result.status == 1 && result.output.isEmpty)
        for text in ["app:org.kde.konsole", "nothing was granted", "grant exe:/", "systemd-run --user"] {
            #expect(result.errors.contains(text), "\(result.errors)")
        }
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.isEmpty)
    }

    /// Other programs in the unit count, not its name.
    @Test func aUnitOfItsOwnIsNamedAndGranted() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let result = try await run(
            [Program.path("locationctl"), "grant", "--self"], in: "app-org.kde.konsole-1\(getpid()).scope", daemon)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.hasPrefix("locationctl: granting app:org.kde.konsole, which is this locationctl\n"))
        #expect(try await daemon.call(ListApps.self, UserScope()).apps.map(\.app) == ["app:org.kde.konsole"])
    }
}
