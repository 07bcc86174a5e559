/// The addresses and ports of a TCP connection, from one of its ends.
public struct TCPConnection: Hashable, Sendable {
    /// An address with a port.
    public struct End: Hashable, Sendable {
        /// The address in network byte order: 4 bytes for IPv4, 16 for IPv6.
        public let address: [UInt8]
        /// The port.
        public let port: UInt16

        /// The beginning of a v4-mapped IPv6 address, before the four bytes of the IPv4 address (RFC 4291, 2.5.5.2).
        static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

        /// Creates an end. A v4-mapped IPv6 address becomes the IPv4 address: the kernel keeps such a connection in its
        /// IPv4 table.
        ///
        /// - Parameter address: 4 or 16 bytes in network byte order.
        public init(address: [UInt8], port: UInt16) {
            let isMapped = address.count == 16 && address.starts(with: Self.mappedPrefix)
            self.address = isMapped ? Array(address.suffix(4)) : address
            self.port = port
        }
    }

    /// This end.
    public let local: End
    /// The other end.
    public let remote: End

    /// Creates a connection.
    public init(local: End, remote: End) {
        self.local = local
        self.remote = remote
    }
}
