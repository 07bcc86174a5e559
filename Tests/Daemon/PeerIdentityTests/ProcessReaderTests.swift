import AuthorizationPolicy
import CLinux
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@testable import PeerIdentity

/// The data in proc(5) about a process that is identified by its descriptor.
@Suite struct ProcessReaderTests {
    private static func executable() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    @Test func theExecutableOfThisProcess() throws {
        let pidfd = process_open(getpid())
        defer { close(pidfd) }
        #expect(try ProcessReader(pidfd: pidfd).executable == Self.executable())
    }

    @Test(.enabled(if: OwnIdentity.isExecutable, "in a unit of systemd, the process has the name of that"))
    func theIdentityOfThisProcess() throws {
        #expect(try OwnIdentity.value?.name == Self.executable())
    }

    /// Attack: a process has ended, and its ID may belong to another one by now.
    @Test func aProcessThatHasEnded() async throws {
        let process = try RunningProgram("/bin/sleep", ["infinity"])
        let pidfd = process_open(process.processIdentifier)
        defer { close(pidfd) }
        let reader = try ProcessReader(pidfd: pidfd)
        process.signal(SIGKILL)
        _ = try await process.end()
        #expect(throws: IdentityRefusal.processGone) { try reader.identity(uid: getuid()) }
        #expect(reader.executable == nil)
        #expect(try reader.loginOwner() == nil)
        #expect(throws: IdentityRefusal.processGone) { try ProcessReader(pidfd: pidfd) }
    }

    /// Attack: a descriptor of something other than a process.
    @Test func aDescriptorOfAFile() {
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        for descriptor in [file, -1] {
            #expect(throws: IdentityRefusal.processGone) { try ProcessReader(pidfd: descriptor) }
            #expect(PeersRequest.identity(uid: 0).answer(pidfd: descriptor).reply == .refused(.processGone))
        }
    }

    /// Attack: a sandbox that leaves no name was given the management socket, and the app in it answers its own prompt; or it
    /// runs the machine's own Python, and is taken for the user's other scripts.
    @Test(
        arguments: [
            (["/bin/sleep"], false), (["/usr/bin/unshare", "--user", "/bin/sleep"], true),
            (["/usr/bin/unshare", "--user", "--map-root-user", "--pid", "--fork", "/bin/sleep"], true),
            (["/usr/bin/bwrap", "--unshare-user", "--ro-bind", "/", "/", "/bin/sleep"], true),
            (["/usr/bin/bwrap", "--unshare-pid", "--ro-bind", "/", "/", "/bin/sleep"], true),
            (
                [
                    "/usr/bin/bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink",
                    "usr/lib64",
                    "/lib64", "/usr/bin/sleep",
                ], true
            ),
        ] as [([String], Bool)])
    func aSandboxOfAnyKind(command: [String], isConfined: Bool) async throws {
        let launcher = try RunningProgram(command[0], Array(command.dropFirst()) + ["infinity"])
        // The program itself may be a child of the launcher.
        var pidfd: CInt = -1
        try await eventually("sleep") {
            guard let pid = Self.sleeper(under: launcher.processIdentifier) else { return false }
            pidfd = process_open(pid)
            return pidfd >= 0
        }
        defer { close(pidfd) }
        let reader = try ProcessReader(pidfd: pidfd)
        #expect(reader.isConfined == isConfined)
        #expect(PeersRequest.confinement.answer(pidfd: pidfd).reply == .confinement(isConfined))
        if isConfined {
            // In a unit of its own, it would have the unit's name.
            let cgroup = try String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
            if !cgroup.contains("app-"), !cgroup.contains("/system.slice/") {
                #expect(throws: IdentityRefusal.confined) { try reader.identity(uid: getuid()) }
            }
        }
        launcher.signal(SIGKILL)
    }

    /// Returns the ID of the process that runs sleep, which is the launcher or descends from it.
    private static func sleeper(under pid: pid_t) -> pid_t? {
        if (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)) == "sleep\n" { return pid }
        let children = (try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)) ?? ""
        return children.split(separator: " ").compactMap { pid_t($0) }.compactMap { sleeper(under: $0) }.first
    }

    @Test(arguments: [
        ("Name:\tsh\nNSpid:\t7\n", 1), ("NSpid:\t7\t1\n", 2), ("Name:\tNSpid:\\n7 1\nNSpid:\t7\t8\t1", 3), ("", nil),
    ]) func theNumberOfNamespaces(status: String, count: Int?) {
        #expect(ProcessReader.namespaceCount(inStatus: Array(status.utf8)) == count)
    }

    @Test func theStartTimeIsThatOfTheProcess() throws {
        let descriptor = process_open(getpid())
        defer { close(descriptor) }
        let stat = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
        let fields = stat[stat.lastIndex(of: ")")!...].split(separator: " ")
        #expect(try ProcessReader(pidfd: descriptor).startTime == UInt64(fields[20]))
    }

    /// Attack: a process has a name that looks like the fields after it.
    @Test(
        arguments: [
            ("7 (sh) S 1 7 7 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0", 4711),
            (
                "7 (a) S 1 7 7 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 1 0 0) S 1 7 7 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 4711 0 0",
                4711
            ),
            ("7 () ) ) R 1 7 7 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 18446744073709551615 0", .max),
            ("7 (sh) S 1 7", nil), ("", nil), (")", nil),
            ("7 (sh) S 1 7 7 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 -1 0 0", nil),
            ("7 (sh) S 1 7 7 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 18446744073709551616 0 0", nil),
        ] as [(String, UInt64?)])
    func theStartTimeComesAfterTheName(stat: String, time: UInt64?) {
        #expect(ProcessReader.startTime(inStat: Array(stat.utf8)) == time)
    }
}
