/// The way one program gets sentences, as the key `to` states it.
package enum ServeTarget: Sendable, Hashable {
    /// A pseudo-terminal, with a link to it at the path: `pty:PATH`.
    case terminal(path: String)
    /// A FIFO at the path: `fifo:PATH`.
    case fifo(path: String)
    /// A port to which readers connect: `tcp://ADDRESS:PORT`.
    case server(address: String, port: Int)
    /// A host, a broadcast address or a multicast group, to which datagrams are sent: `udp://ADDRESS:PORT`.
    case datagrams(address: String, port: Int)

    /// A Boolean value indicating whether the reader opens a file, which has an owner.
    package var isFile: Bool {
        switch self {
        case .terminal, .fifo: true
        case .server, .datagrams: false
        }
    }

    /// A Boolean value indicating whether readers come by themselves, so that it has to be said who may.
    package var isOpen: Bool { if case .server = self { true } else { false } }

    /// Parses a target. Without a port, it is 10110.
    package init(parsing text: String) throws(InvalidAddress) {
        for (scheme, make) in Self.files where text.hasPrefix(scheme) {
            self = make(try Self.path(text.dropFirst(scheme.count)))
            return
        }
        for (scheme, make) in Self.networks where text.hasPrefix(scheme) {
            let authority = try HostAndPort(parsing: text.dropFirst(scheme.count), in: text)
            guard IPAddress(parsing: authority.host) != nil else {
                throw InvalidAddress("\"\(authority.host)\" is not an IP address")
            }
            self = make(authority.host, authority.port)
            return
        }
        throw InvalidAddress(
            "\"\(text)\" is not a target: use pty:PATH, fifo:PATH, tcp://ADDRESS:PORT or udp://ADDRESS:PORT")
    }

    private static let files: [(String, @Sendable (String) -> ServeTarget)] = [
        ("pty:", { .terminal(path: $0) }), ("fifo:", { .fifo(path: $0) }),
    ]
    private static let networks: [(String, @Sendable (String, Int) -> ServeTarget)] = [
        ("tcp://", { .server(address: $0, port: $1) }), ("udp://", { .datagrams(address: $0, port: $1) }),
    ]

    /// The longest path of a link or a FIFO, in bytes, so that a name beside it has room in a path (PATH_MAX,
    /// limits.h).
    private static let maximumPathLength = 4000

    private static func path(_ text: Substring) throws(InvalidAddress) -> String {
        guard text.hasPrefix("/"), !text.hasSuffix("/"), text.utf8.count <= maximumPathLength, !text.utf8.contains(0)
        else { throw InvalidAddress("\"\(text)\" is not the absolute path of a file") }
        return String(text)
    }
}

extension ServeTarget: CustomStringConvertible {
    /// The text that `init(parsing:)` parses into this value, with its port.
    package var description: String {
        switch self {
        case .terminal(let path): "pty:\(path)"
        case .fifo(let path): "fifo:\(path)"
        case .server(let address, let port): "tcp://\(HostAndPort.text(address, port))"
        case .datagrams(let address, let port): "udp://\(HostAndPort.text(address, port))"
        }
    }
}
