import Foundation

/// Both ends of a TCP connection of this machine: an app's, and the one that a server has accepted.
package final class TCPPair {
    /// The addresses of a connection.
    package enum Family: CaseIterable, Sendable {
        case ipv4, ipv6
        /// An IPv4 client of a server that listens for IPv6 too (ipv6(7), IPV6_V6ONLY).
        case mappedServer
        /// A client with a socket of IPv6, as all of Java's are, of a server that listens for IPv4.
        case mappedClient
        /// A client with a socket of IPv6, which connects to an IPv4 address, of a server that listens for IPv6 too.
        case mapped

        fileprivate var listening: CInt { self == .ipv4 || self == .mappedClient ? AF_INET : AF_INET6 }
        fileprivate var connecting: CInt { self == .ipv4 || self == .mappedServer ? AF_INET : AF_INET6 }

        fileprivate func address(_ family: CInt) -> String {
            family == AF_INET ? "127.0.0.1" : self == .ipv6 ? "::1" : "::ffff:127.0.0.1"
        }
    }

    /// The server's end.
    package let accepted: CInt
    /// The app's end, until it is closed.
    package let app: CInt
    private var isAppClosed = false

    package init(_ family: Family = .ipv4) throws {
        let listener = try Self.socket(family.listening)
        defer { close(listener) }
        if family.listening == AF_INET6 {
            var isIPv6Only: CInt = family == .ipv6 ? 1 : 0
            setsockopt(listener, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &isIPv6Only, socklen_t(MemoryLayout<CInt>.size))
        }
        let place = family.address(family.listening)
        try Self.check(Self.withAddress(family.listening, place, 0) { bind(listener, $0, $1) })
        try Self.check(listen(listener, 1))
        app = try Self.socket(family.connecting)
        let host = family.address(family.connecting)
        let port = Self.port(of: listener)
        try Self.check(Self.withAddress(family.connecting, host, port) { [app] in connect(app, $0, $1) })
        accepted = accept(listener, nil, nil)
        try Self.check(accepted)
        _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        closeEverywhere(accepted)
        closeApp()
    }

    /// Closes the app's end in this process.
    package func closeApp(_ close: (CInt) -> Void = { _ = Glibc.close($0) }) {
        if !isAppClosed { closeEverywhere(app, close) }
        isAppClosed = true
    }

    /// The number of the inode of the app's end.
    package var inode: UInt32 {
        var status = stat()
        fstat(app, &status)
        return UInt32(status.st_ino)
    }

    private static func socket(_ family: CInt) throws -> CInt {
        let descriptor = Glibc.socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try check(descriptor)
        return descriptor
    }

    private static func check(_ status: CInt) throws {
        guard status >= 0 else { throw POSIXError.last }
    }

    private static func withAddress(
        _ family: CInt, _ text: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        var storage = sockaddr_storage()
        storage.ss_family = sa_family_t(family)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
            inet_pton(family, text, bytes.baseAddress! + (family == AF_INET ? 4 : 8))
            let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
            return body(bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(size))
        }
    }

    private static func port(of descriptor: CInt) -> UInt16 {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, &size)
            return UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
        }
    }
}
