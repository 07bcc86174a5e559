import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing

/// Attacks across users, and processes that the daemon may not inspect.
@Suite(.timeLimit(.minutes(15)), .enabled(if: Attack.isRoot, "needs root")) struct IdentityAccessTests {
    /// Attack: another user runs a program to which one user has granted the location.
    @Test func anotherUsersGrant() async throws {
        let attack = try await Attack()
        #expect(try await attack.outcome(of: attack.granted) == ["location"])
        let lines = try await attack.run(
            Program.script("IdentityAccess/another_users_grant"), as: attack.granted, through: Attack.asNobody)
        #expect(lines == Array(repeating: "NotAuthorized notDetermined", count: 3))
    }

    /// Attack: a root process becomes another user, before or after it connects. The user that counts is the one that
    /// the kernel recorded when the connection was made.
    @Test func changingTheUser() async throws {
        let attack = try await Attack()
        let lines = try await attack.run(Program.script("IdentityAccess/changing_the_user"), as: attack.granted)
        #expect(lines == ["location", "NotAuthorized notDetermined"])
    }

    /// The daemon has no right to inspect other users' processes, as if the kernel or a security module hid them.
    /// They are refused. Processes that the daemon can inspect are served.
    @Test func aProcessWhoseExecutableCannotBeRead() async throws {
        let attack = try await Attack(launcher: Self.withoutTracing)
        try await attack.grantNobody()
        #expect(try await attack.outcome(of: attack.granted, through: Attack.asNobody) == ["PermissionDenied"])
        #expect(try await attack.outcome(of: attack.granted, through: Self.withoutTracing) == ["location"])
        #expect(try await attack.connections() == 0)
        try await attack.daemon.waitForLog("cannot be read from /proc")
    }

    /// With a proc(5) that shows other users no processes (hidepid). Before Linux 5.8, the option would hold for
    /// every mount of proc.
    @Test(
        .enabled(
            if: ProcessInfo.processInfo.isOperatingSystemAtLeast(
                OperatingSystemVersion(majorVersion: 5, minorVersion: 8, patchVersion: 0)), "needs Linux 5.8"))
    func aProcessThatProcHides() async throws {
        let hiding =
            [
                "/usr/bin/unshare", "--mount", "/bin/sh", "-c",
                "mount -t proc -o hidepid=2 proc /proc && exec \"$@\"", "sh",
            ] + Self.withoutTracing + ["/usr/bin/setpriv", "--regid=\(Attack.nobody)", "--clear-groups"]
        let attack = try await Attack(launcher: hiding)
        try await attack.grantNobody()
        #expect(try await attack.outcome(of: attack.granted, through: Attack.asNobody) == ["PermissionDenied"])
        #expect(try await attack.connections() == 0)
    }

    /// A command that becomes a root program without the right to inspect other users' processes.
    private static let withoutTracing = ["/usr/bin/setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-all"]
}

extension Attack {
    /// Grants the app to the user that the other user's processes run as.
    fileprivate func grantNobody() async throws {
        let uid = Int(Self.nobody)
        _ = try await daemon.call(Grant.self, .init(app: "exe:" + granted, uid: uid, level: .always))
    }
}
