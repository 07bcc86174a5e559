import Foundation

/// A connection to a TCP port of 127.0.0.1.
package enum TCPSocket {
    /// Connects to a port.
    ///
    /// - Parameter receiveBufferSize: The size in bytes of the kernel's buffer for unread data, or `nil` for the
    ///   kernel's choice, which is megabytes. The kernel doubles it (socket(7)).
    package static func connect(port: Int, receiveBufferSize: CInt? = nil) throws -> RawSocket {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError.last }
        let connection = RawSocket(owning: descriptor)
        if var size = receiveBufferSize {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, length) }
        }
        guard status == 0 else { throw POSIXError.last }
        return connection
    }
}
