import Foundation

/// A TCP port of 127.0.0.1 that is reserved for the server that a test starts on it.
///
/// The port stays bound, so the kernel skips it when it assigns a port to another program. A server that sets
/// SO_REUSEADDR, as gpsd does, can still listen on it, because this socket does not listen (socket(7)).
package final class ReservedPort: Sendable {
    package let number: Int
    private let descriptor: CInt

    package init() throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var on: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (own, isBound) = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                (descriptor, bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0)
            }
        }
        guard own >= 0, isBound else { throw POSIXError.last }
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }
}
