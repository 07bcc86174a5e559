import Foundation

/// A Unix datagram socket, such as chronyd's for the samples of a reference clock.
package final class DatagramListener {
    package let path: String
    private let descriptor: CInt

    /// Creates the socket at `path`, which becomes free again on deinit.
    package init(_ path: String) throws {
        self.path = path
        descriptor = try UnixSocket.open(path, SOCK_DGRAM, bind)
    }

    deinit {
        closeEverywhere(descriptor)
        unlink(path)
    }

    /// Removes and returns the datagrams that have arrived, each cut to 256 bytes.
    package func received() -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        var block = [UInt8](repeating: 0, count: 256)
        while case let count = recv(descriptor, &block, block.count, CInt(MSG_DONTWAIT)), count >= 0 {
            datagrams.append(Array(block[..<count]))
        }
        return datagrams
    }
}
