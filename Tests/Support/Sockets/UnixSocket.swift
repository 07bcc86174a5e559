import Foundation

/// The calls of unix(7) that the helpers share.
enum UnixSocket {
    /// Opens a socket, close-on-exec, and binds or connects it to `path`.
    static func open(
        _ path: String, _ type: __socket_type,
        _ attach: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws -> CInt {
        let descriptor = socket(AF_UNIX, CInt(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError.last }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { attach(descriptor, $0, size) }
        }
        guard status == 0 else {
            let error = POSIXError.last
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Returns whether bytes can be read from a descriptor, or a connection accepted on it.
    static func isReadable(_ descriptor: CInt) -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&ready, 1, 0) > 0
    }
}
