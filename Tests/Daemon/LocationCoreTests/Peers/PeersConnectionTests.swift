import AuthorizationPolicy
import CLinux
import Foundation
import Glibc
import Linux
import LocationModel
import PeerIdentity
import TestSupport
import Testing

@testable import LocationCore

/// The descriptors that come with an answer of locationd-peers.
@Suite struct PeersConnectionTests {
    /// Answers one request with `count` descriptors of this process.
    private func answer(_ listener: CInt, _ count: Int) {
        let connection = accept(listener, nil, nil)
        defer { close(connection) }
        var request = [UInt8](repeating: 0, count: PeersRequest.maximumLength)
        var none: CInt = -1
        var descriptorCount = 0
        _ = packet_receive(connection, &request, request.count, &none, &descriptorCount, 120_000)
        let pidfds = (0..<count).map { _ in process_open(getpid()) }
        defer { for pidfd in pidfds { close(pidfd) } }
        let bytes = PeersReply.identity(AppIdentity("exe:/usr/bin/viewer")!).bytes
        _ = packet_send(connection, bytes, bytes.count, pidfds, pidfds.count)
    }

    /// Returns a socket that listens at `path`.
    private static func listener(_ path: String) throws -> CInt {
        let listener = socket(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        guard status == 0, listen(listener, 1) == 0 else { throw POSIXError.last }
        return listener
    }

    /// The descriptors beyond the limit are closed, not kept.
    @Test(arguments: [0, 1, 3, SocketHolders.maximumCount, SocketHolders.maximumCount + 1, 253])
    func descriptors(_ count: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/peers"
        let listener = try Self.listener(path)
        defer { close(listener) }
        let connection = try #require(PeersConnection(path: path))
        let request = PeersRequest.holders(of: [SocketOrigin(inode: 1, cgroupID: 3)], uid: 2)
        let server = Thread { answer(listener, count) }
        server.start()
        guard case .answer(let answer) = connection.ask(request, about: nil, within: 120_000) else {
            Issue.record("no answer")
            return
        }
        #expect(answer.reply == .identity(AppIdentity("exe:/usr/bin/viewer")!))
        #expect(answer.processes.count == min(count, SocketHolders.maximumCount))
        for process in answer.processes { #expect(process_id(process.descriptor) == getpid()) }
    }
}
