internal import Glibc
package import Linux
internal import NIOCore

/// A TCP socket that listens on an address of this machine.
package enum TCPListener {
    /// Returns the descriptor of a TCP socket that is bound to the address and listens there. The caller owns it.
    ///
    /// - Parameter address: A numeric IP address, without brackets.
    /// - Throws: EADDRINUSE if a process listens there.
    package static func open(address: String, port: UInt16, backlog: CInt) throws(SystemCallError) -> CInt {
        let name = "bind(\(address.contains(":") ? "[\(address)]" : address):\(port))"
        guard let socketAddress = try? SocketAddress(ipAddress: address, port: Int(port)) else {
            throw SystemCallError(name, EINVAL)
        }
        let isIPv6 = socketAddress.protocol == .inet6
        let descriptor = try ListeningSocket.streamSocket(isIPv6 ? AF_INET6 : AF_INET)
        do {
            // A restarted process need not wait for the connections of the previous one.
            set(SOL_SOCKET, SO_REUSEADDR, descriptor)
            // [::1] does not include 127.0.0.1, which gets its own socket.
            if isIPv6 { set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, descriptor) }
            try ListeningSocket.check(name, socketAddress.withSockAddr { Glibc.bind(descriptor, $0, socklen_t($1)) })
            try ListeningSocket.check(name, listen(descriptor, backlog))
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func set(_ level: CInt, _ option: CInt, _ descriptor: CInt) {
        var value: CInt = 1
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }
}
