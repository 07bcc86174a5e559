internal import Glibc
internal import Linux
internal import NIOCore

/// A TCP socket that listens on an address of this machine.
enum TCPListener {
    /// Returns the descriptor of a socket that is bound to the address and listens there. Its consumer owns it.
    ///
    /// - Parameter address: A numeric IP address, without brackets.
    /// - Throws: EADDRINUSE if a process listens there.
    static func open(address: String, port: UInt16) throws(SystemCallError) -> CInt {
        let name = "bind(\(address.contains(":") ? "[\(address)]" : address):\(port))"
        guard let socketAddress = try? SocketAddress(ipAddress: address, port: Int(port)) else {
            throw SystemCallError(name, EINVAL)
        }
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(socketAddress.protocol == .inet6 ? AF_INET6 : AF_INET, type, 0)
        guard descriptor >= 0 else { throw SystemCallError("socket", errno) }
        // A restart does not wait for the connections of the daemon before it.
        set(SOL_SOCKET, SO_REUSEADDR, descriptor)
        // [::1] does not include 127.0.0.1, which has a socket of its own.
        if socketAddress.protocol == .inet6 { set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, descriptor) }
        guard socketAddress.withSockAddr({ Glibc.bind(descriptor, $0, socklen_t($1)) }) == 0,
            listen(descriptor, GPSDServer.backlog) == 0
        else {
            let error = errno
            close(descriptor)
            throw SystemCallError(name, error)
        }
        return descriptor
    }

    private static func set(_ level: CInt, _ option: CInt, _ descriptor: CInt) {
        var value: CInt = 1
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }
}
