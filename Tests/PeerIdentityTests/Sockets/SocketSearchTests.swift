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
    ) throws -> [SocketSearch.Holder] {
        try SocketSearch.holders(ofInode: inode, uid: uid, limits: limits)
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
        for inode in [pair.inode / 10, pair.inode % 1000, 0, .max] { #expect(try holders(inode).isEmpty) }
    }

    @Test func allProcessesThatHoldASocket() async throws {
        let pair = try TCPPair()
        let programs = try (0..<3).map { _ in try RunningProgram("/bin/sleep", ["infinity"], input: pair.app) }
        try await eventually("all of them") {
            Set(try holders(pair.inode).map(\.pid)) == Set(programs.map(\.processIdentifier) + [getpid()])
        }
    }

    /// A process that only another user runs is not looked into.
    @Test func theProcessesOfAnotherUser() throws {
        let pair = try TCPPair()
        #expect(try holders(pair.inode, uid: 4_000_000_000).isEmpty)
    }

    /// Attack: a user has thousands of processes with thousands of open files, and the search for its sockets holds up
    /// those for others.
    @Test func theSearchIsGivenUp() throws {
        let pair = try TCPPair()
        var limits = SocketSearch.Limits()
        limits.openFiles = 2
        #expect(throws: IdentityRefusal.tooManyOpenFiles) { try holders(pair.inode, limits) }
        limits = SocketSearch.Limits()
        limits.milliseconds = 0
        #expect(throws: IdentityRefusal.tooManyOpenFiles) { try holders(pair.inode, limits) }
    }

    /// Attack: a socket is held by so many processes that none are left to be watched for others.
    @Test func aSocketOfTooManyProcesses() async throws {
        let pair = try TCPPair()
        let programs = try (0..<2).map { _ in try RunningProgram("/bin/sleep", ["infinity"], input: pair.app) }
        var limits = SocketSearch.Limits()
        limits.holders = 2
        #expect(throws: IdentityRefusal.socketHeldByMany) { try holders(pair.inode, limits) }
        _ = programs
    }
}
