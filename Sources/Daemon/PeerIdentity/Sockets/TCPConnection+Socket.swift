internal import Glibc

extension TCPConnection {
    /// Reads the connection of a TCP socket, from the other end. Returns `nil` if the socket is not connected or is not
    /// a TCP socket.
    init?(ofPeerOf socket: CInt) {
        guard let local = End(of: socket, getpeername), let remote = End(of: socket, getsockname) else { return nil }
        self.init(local: local, remote: remote)
    }
}

extension TCPConnection.End {
    fileprivate typealias Read = (CInt, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> CInt

    /// Reads one of a socket's two addresses.
    fileprivate init?(of socket: CInt, _ read: Read) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout.size(ofValue: storage))
        let status = withUnsafeMutableBytes(of: &storage) { bytes in
            read(socket, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &size)
        }
        guard status == 0 else { return nil }
        // ip(7), ipv6(7): family, port in network byte order, IPv6's flow, address.
        let addresses: Range<Int>
        switch CInt(storage.ss_family) {
        case AF_INET: addresses = 4..<8
        case AF_INET6: addresses = 8..<24
        default: return nil
        }
        guard size >= addresses.upperBound else { return nil }
        self = withUnsafeBytes(of: storage) { bytes in
            Self(address: Array(bytes[addresses]), port: UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
        }
    }
}
