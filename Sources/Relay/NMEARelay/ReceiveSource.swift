/// A source of sentences in the network, as the key `from` states it.
package enum ReceiveSource: Sendable, Hashable {
    /// A server to connect to, by name or IP address: `tcp://HOST:PORT`.
    case server(host: String, port: Int)
    /// A port for senders to connect to: `tcp-listen://ADDRESS:PORT`.
    case listener(address: String, port: Int)
    /// A port where datagrams arrive, or a multicast group: `udp://ADDRESS:PORT`.
    case datagrams(address: String, port: Int)

    /// A Boolean value indicating whether any host in the network can send, so that the key `allow` is required.
    package var isOpen: Bool { if case .server = self { false } else { true } }

    /// Parses a source. The default port is 10110.
    package init(parsing text: String) throws(InvalidAddress) {
        for (scheme, make) in Self.schemes where text.hasPrefix(scheme) {
            let authority = try HostAndPort(parsing: text.dropFirst(scheme.count), in: text)
            let source = make(authority.host, authority.port)
            guard !source.isOpen || IPAddress(parsing: authority.host) != nil else {
                throw InvalidAddress(
                    "\"\(authority.host)\" is not an IP address to listen at: use 0.0.0.0 or [::] for all of them")
            }
            self = source
            return
        }
        throw InvalidAddress(
            "\"\(text)\" is not a source: use tcp://HOST:PORT, tcp-listen://ADDRESS:PORT or udp://ADDRESS:PORT")
    }

    private static let schemes: [(String, @Sendable (String, Int) -> ReceiveSource)] = [
        ("tcp://", { .server(host: $0, port: $1) }), ("tcp-listen://", { .listener(address: $0, port: $1) }),
        ("udp://", { .datagrams(address: $0, port: $1) }),
    ]
}

extension ReceiveSource: CustomStringConvertible {
    /// The text that `init(parsing:)` parses into this value, with its port.
    package var description: String {
        let (scheme, host, port) =
            switch self {
            case .server(let host, let port): ("tcp", host, port)
            case .listener(let address, let port): ("tcp-listen", address, port)
            case .datagrams(let address, let port): ("udp", address, port)
            }
        return "\(scheme)://\(HostAndPort.text(host, port))"
    }
}
