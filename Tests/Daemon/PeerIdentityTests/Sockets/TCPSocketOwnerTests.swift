import AuthorizationPolicy
import Foundation
import Glibc
import PeerIdentity
import TestSupport
import Testing

/// The owners of sockets, as this machine's kernel states them.
@Suite struct TCPSocketOwnerTests {
    private static let hasIPv6 = (try? TCPPair(.ipv6)) != nil

    @Test func theOwnerOfTheOtherEnd() throws { try expectOwner(.ipv4) }

    /// A program's socket can be one of IPv6 on a connection of IPv4: the kernel then describes it in another family
    /// than the connection's.
    @Test(
        .enabled(if: hasIPv6, "this machine has no IPv6"), arguments: TCPPair.Family.allCases.filter { $0 != .ipv4 })
    func theOwnerOfTheOtherEndWithIPv6(_ family: TCPPair.Family) throws { try expectOwner(family) }

    private func expectOwner(_ family: TCPPair.Family) throws {
        TCPSocketOwner.prepare()
        let pair = try TCPPair(family)
        let owner = try TCPSocketOwner(ofPeerOf: pair.accepted)
        #expect(owner.uid == geteuid())
        #expect(owner.inode == pair.inode)
        #expect(owner.connection.local.address.count == (family == .ipv6 ? 16 : 4))
        #expect(owner.isConnected)
        #expect(try TCPSocketOwner(ofPeerOf: pair.accepted) == owner)
    }

    /// Attack: an app connects and closes at once, so that nothing is known about its socket.
    @Test func aSocketThatWasClosed() throws {
        let pair = try TCPPair()
        let owner = try TCPSocketOwner(ofPeerOf: pair.accepted)
        pair.closeApp()
        #expect(throws: IdentityRefusal.socketElsewhere) { try TCPSocketOwner(ofPeerOf: pair.accepted) }
        #expect(!owner.isConnected)
    }

    /// A program that sends nothing more, as `nc -N`, still has its socket, and can be found by it.
    ///
    /// Attack: it ends its half of the connection, and then the other one, and the kernel remembers the connection.
    @Test func aSocketThatIsClosedInHalves() throws {
        let pair = try TCPPair()
        let owner = try TCPSocketOwner(ofPeerOf: pair.accepted)
        shutdown(pair.app, CInt(SHUT_WR))
        #expect(try TCPSocketOwner(ofPeerOf: pair.accepted) == owner)
        #expect(owner.isConnected && owner.inode == pair.inode)
        pair.closeApp()
        #expect(throws: IdentityRefusal.socketElsewhere) { try TCPSocketOwner(ofPeerOf: pair.accepted) }
        #expect(!owner.isConnected)
    }

    /// Attack: the connection of a socket that was closed is made again, by another app.
    @Test func anotherSocketIsNotTheSame() throws {
        let pair = try TCPPair()
        let owner = try TCPSocketOwner(ofPeerOf: pair.accepted)
        let other = TCPSocketOwner(
            connection: owner.connection, uid: owner.uid, inode: owner.inode, cookie: owner.cookie + 1,
            cgroupID: owner.cgroupID)
        #expect(!other.isConnected)
    }

    @Test func whatIsNotATCPConnection() throws {
        let pipe = try ProgramPipe()
        var pair: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { for end in pair { close(end) } }
        for descriptor in [pipe.readEnd.fileDescriptor, pair[0], -1] {
            #expect(throws: IdentityRefusal.socketElsewhere) { try TCPSocketOwner(ofPeerOf: descriptor) }
        }
    }
}
