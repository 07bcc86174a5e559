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
    @Test func thisProcess() throws {
        let pidfd = process_open(getpid())
        defer { close(pidfd) }
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let reader = try ProcessReader(pidfd: pidfd)
        #expect(reader.executable == executable)
        // In a unit of its own, the process is identified by that unit.
        let identity = try reader.identity(uid: getuid())
        #expect(identity.kind != .exe || identity.name == executable)
    }

    /// Attack: a process has ended, and its id may belong to another one by now.
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
