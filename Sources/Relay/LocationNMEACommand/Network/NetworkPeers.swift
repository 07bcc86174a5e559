internal import NIOCore
internal import NMEARelay

extension IPAddress {
    /// Creates the address of a peer, or returns `nil` if the peer has none.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        self.init(parsing: text)
    }
}

extension SocketAddress {
    /// The address without the port, for the log.
    var host: String { ipAddress ?? "an unknown host" }
}

extension [AddressRange] {
    /// Returns the address of a peer if one of the ranges contains it, or `nil`.
    func admitted(_ peer: SocketAddress?) -> IPAddress? {
        IPAddress(peer).flatMap { address in contains { $0.contains(address) } ? address : nil }
    }
}
