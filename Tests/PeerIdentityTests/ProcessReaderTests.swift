import AuthorizationPolicy
import CLinux
import Foundation
import Glibc
import LocationModel
import PeerIdentity
import TestSupport
import Testing

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
}
