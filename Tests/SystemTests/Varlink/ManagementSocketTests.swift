import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Access to the management socket, beyond the socket's mode.
@Suite(.timeLimit(.minutes(15)), .enabled(if: Attack.isRoot, "needs root, to be another user"))
struct ManagementSocketTests {
    /// Calls GetServices on connections that stay open, and prints the error's name or "answered" for each.
    private static let script = Program.script("Varlink/calls_on_open_connections")

    private func daemon() async throws -> TestDaemon {
        let daemon = try await TestDaemon(receivers: [])
        for path in [daemon.folder.path, daemon.runtime] { chmod(path, 0o755) }
        daemon.letManage(group: Attack.nobodysGroup)
        return daemon
    }

    private func answers(
        of daemon: TestDaemon, connections: Int, through launcher: [String]
    ) async throws -> [String] {
        let command =
            launcher + ["/usr/bin/python3", "-c", Self.script, daemon.managementSocket, "\(connections)"]
        let result = try await Program.run(command[0], Array(command.dropFirst()))
        #expect(result.status == 0, "\(result.errors)")
        return result.lines
    }

    /// Attack: an app in a sandbox with access to the sockets' folder grants itself the location.
    @Test(.enabled(if: Attack.hasBubblewrap)) func aSandboxedProgramIsRefused() async throws {
        let daemon = try await daemon()
        #expect(try await answers(of: daemon, connections: 1, through: Attack.asNobody) == ["answered"])
        let info = daemon.folder.path + "/info"
        try "[Application]\nname=org.gnome.Maps\n".write(toFile: info, atomically: false, encoding: .utf8)
        let sandbox =
            Attack.asNobody + [
                "/usr/bin/bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64",
                "/lib64", "--proc", "/proc", "--bind", daemon.folder.path, daemon.folder.path, "--ro-bind", info,
                "/.flatpak-info",
            ]
        let refused = try await answers(of: daemon, connections: 1, through: sandbox)
        #expect(refused == ["PermissionDenied"])
        try await daemon.waitForLog("refused a connection: to the management socket: its control group")
    }

    /// Attack: a user with access to the socket takes all connections that are available.
    @Test func aUsersConnectionsAreBounded() async throws {
        let daemon = try await daemon()
        let lines = try await answers(of: daemon, connections: 40, through: Attack.asNobody)
        #expect(lines.prefix(32).allSatisfy { $0 == "answered" })
        #expect(lines.dropFirst(32).allSatisfy { $0 == "LimitExceeded" })
        #expect(lines.count == 40)
        // Root's connections are not limited.
        #expect(try await answers(of: daemon, connections: 40, through: []) == Array(repeating: "answered", count: 40))
    }

    /// Attack: an app leaves its connection to a child and exits, so that a grant for once continues. There are no
    /// fixes that would make the daemon check the connection.
    @Test func theEndOfAProcessClosesItsConnectionsAtOnce() async throws {
        let daemon = try await TestDaemon(receivers: [])
        let heir = try RunningProgram(
            "/usr/bin/python3",
            [
                "-c",
                Program.script("Authorization/left_connection"), LocationInterface.socketPath(in: daemon.runtime),
            ])
        try await eventually("the end of the connection") { heir.lines == ["inherited", "closed"] }
        #expect(try await daemon.call(GetStatistics.self, Nothing()).statistics.connections == 0)
    }
}
