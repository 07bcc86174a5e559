internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import NMEARelay

extension IPAddress {
    /// Creates the address of a peer, or returns `nil` if it has none.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress else { return nil }
        self.init(parsing: text)
    }
}

extension SocketAddress {
    /// The address without the port, for the log.
    var host: String { ipAddress ?? "an unknown host" }
}

extension Error {
    /// The reason of a failed connection or socket in the system's words, where it has some.
    var networkReason: String {
        let first = (self as? NIOConnectionError)?.connectionErrors.first?.error ?? self
        guard let error = first as? IOError else { return "\(first)" }
        return String(cString: strerror(error.errnoCode))
    }
}

extension [AddressRange] {
    /// Returns the address of a peer if one of the ranges has it, or `nil`.
    func admitted(_ peer: SocketAddress?) -> IPAddress? {
        IPAddress(peer).flatMap { address in contains { $0.contains(address) } ? address : nil }
    }
}
