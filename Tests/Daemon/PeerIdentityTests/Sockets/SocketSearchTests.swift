import AuthorizationPolicy
import Foundation
import Glibc
import TestSupport
import Testing

@testable import PeerIdentity

/// The processes that hold a socket, and the limits of the search for them.
@Suite struct SocketSearchTests {
    private func holders(
        _ inode: UInt32, uid: UInt32 = geteuid(), _ limits: SocketSearch.Limits = SocketSearch.Limits()
    ) throws -> [SocketSearch.Holder]? {
        try SocketSearch.holders(of: [inode], uid: uid, limits: limits)[inode]
    }

    @Test func theProcessThatHoldsASocket() async throws {
        let pair = try TCPPair()
        // A process that is started meanwhile has copies of this one's descriptors until its execve(2).
        try await eventually("this process alone") {
            try holders(pair.inode) == [SocketSearch.Holder(pid: getpid(), descriptor: pair.app)]
        }
        #expect(SocketSearch.holds(SocketSearch.Holder(pid: getpid(), descriptor: pair.app), inode: pair.inode))
        #expect(!SocketSearch.holds(SocketSearch.Holder(pid: getpid(), descriptor: pair.accepted), inode: pair.inode))
    }

    /// Attack: a socket has a number that begins with another's, or is the beginning of another's.
    @Test func aNumberThatIsPartOfAnother() async throws {
        let pair = try TCPPair()
        for inode in [pair.inode / 10, pair.inode % 1000, 0, .max] { #expect(try holders(inode) == []) }
    }

    @Test func allProcessesThatHoldASocket() async throws {
        let pair = try TCPPair()
        let programs = try (0..<3).map { _ in try RunningProgram("/bin/sleep", ["infinity"], input: pair.app) }
        try await eventually("all of them") {
            Set(try holders(pair.inode)?.map(\.pid) ?? []) == Set(programs.map(\.processIdentifier) + [getpid()])
        }
    }

    /// A process of another user is not examined.
    @Test func theProcessesOfAnotherUser() throws {
        let pair = try TCPPair()
        #expect(try holders(pair.inode, uid: 4_000_000_000) == [])
    }

    /// Attack: a user has thousands of processes with thousands of open files, and the search for its sockets holds up
    /// those for others.
    @Test func theSearchIsGivenUp() throws {
        let pair = try TCPPair()
        var limits = SocketSearch.Limits()
        limits.openFiles = 2
        #expect(throws: IdentityRefusal.tooManyOpenFiles) { try holders(pair.inode, limits) }
        limits = SocketSearch.Limits()
        limits.processorMilliseconds = 0
        #expect(throws: IdentityRefusal.tooManyOpenFiles) { try holders(pair.inode, limits) }
    }

    /// Attack: a socket is held by so many processes that the list of them is endless.
    @Test func theListOfProcessesIsCutOff() async throws {
        let pair = try TCPPair()
        let programs = try (0..<2).map { _ in try RunningProgram("/bin/sleep", ["infinity"], input: pair.app) }
        var limits = SocketSearch.Limits()
        limits.holders = 2
        #expect(try holders(pair.inode, uid: geteuid(), limits)?.count == 2)
        withExtendedLifetime(programs) {}
    }

    /// Attack: a process has a folder open whose path is too long for proc(5), and its user's sockets are not found.
    @Test func aPathThatIsTooLong() async throws {
        let pair = try TCPPair()
        let folder = try TemporaryFolder()
        let name = String(repeating: "d", count: 250)
        var inner = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for _ in 0..<20 {
            try #require(mkdirat(inner, name, 0o755) == 0)
            let next = openat(inner, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            close(inner)
            inner = next
        }
        let link = ProcFile.socketInode(ofLink: "/proc/self/fd/\(inner)", in: AT_FDCWD)
        #expect(link == .success(nil))
        #expect(try holders(pair.inode)?.map(\.pid).contains(getpid()) == true)
        close(inner)
        _ = try await Program.run("/bin/rm", ["-r", folder.path + "/" + name])
    }

    /// One search is made for all sockets.
    @Test func severalSocketsAtOnce() async throws {
        let pairs = try (0..<3).map { _ in try TCPPair() }
        let program = try RunningProgram("/bin/sleep", ["infinity"], input: pairs[1].app)
        pairs[2].closeApp()
        let inodes = pairs.prefix(2).map(\.inode) + [.max]
        try await eventually("the program and this process") {
            let found = try SocketSearch.holders(of: inodes, uid: geteuid())
            return found[inodes[0]]?.map(\.pid) == [getpid()] && found[.max] == []
                && Set(found[inodes[1]]?.map(\.pid) ?? []) == [getpid(), program.processIdentifier]
        }
    }
}
