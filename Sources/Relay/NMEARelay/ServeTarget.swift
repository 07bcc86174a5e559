/// The way a program gets sentences, as the key `to` states it.
package enum ServeTarget: Sendable, Hashable {
    /// A pseudo-terminal, with a link to it at the path: `pty:PATH`.
    case terminal(path: String)
    /// A FIFO at the path: `fifo:PATH`.
    case fifo(path: String)
    /// A port for readers to connect to: `tcp://ADDRESS:PORT`.
    case server(address: String, port: Int)
    /// A host, a broadcast address or a multicast group to send datagrams to: `udp://ADDRESS:PORT`.
    case datagrams(address: String, port: Int)

    /// A Boolean value indicating whether the reader opens a file, and so the target has an owner.
    package var isFile: Bool {
        switch self {
        case .terminal, .fifo: true
        case .server, .datagrams: false
        }
    }

    /// A Boolean value indicating whether any reader can connect, so that the key `allow` is required.
    package var isOpen: Bool { if case .server = self { true } else { false } }

    /// Parses a target. The default port is 10110.
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

    /// The maximum length of a link's or FIFO's path, in bytes, leaving room for a temporary name beside it (PATH_MAX,
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
