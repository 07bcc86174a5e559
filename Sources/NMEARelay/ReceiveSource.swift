/// The way by which sentences come from the network, as the key `from` states it.
package enum ReceiveSource: Sendable, Hashable {
    /// A server that is connected to, by name or IP address: `tcp://HOST:PORT`.
    case server(host: String, port: Int)
    /// A port to which senders connect: `tcp-listen://ADDRESS:PORT`.
    case listener(address: String, port: Int)
    /// A port at which datagrams arrive, or a multicast group: `udp://ADDRESS:PORT`.
    case datagrams(address: String, port: Int)

    /// The port that IANA assigned to NMEA 0183 over TCP and UDP: `nmea-0183`.
    package static let defaultPort = 10110

    /// The error for a text that is not a source, with what is allowed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// A Boolean value indicating whether anybody in the network may send, so that it has to be said who may.
    package var isOpen: Bool { if case .server = self { false } else { true } }

    /// Parses a source. Without a port, it is 10110.
    package init(parsing text: String) throws(Failure) {
        for (scheme, make) in Self.schemes where text.hasPrefix(scheme) {
            let (host, port) = try Self.hostAndPort(text.dropFirst(scheme.count), text)
            let source = make(host, port)
            guard !source.isOpen || IPAddress(parsing: host) != nil else {
                throw Failure(
                    description: "\"\(host)\" is not an IP address to listen at: use 0.0.0.0 or [::] for all of them")
            }
            self = source
            return
        }
        throw Failure(
            description:
                "\"\(text)\" is not a source: use tcp://HOST:PORT, tcp-listen://ADDRESS:PORT or udp://ADDRESS:PORT")
    }

    private static let schemes: [(String, @Sendable (String, Int) -> ReceiveSource)] = [
        ("tcp://", { .server(host: $0, port: $1) }), ("tcp-listen://", { .listener(address: $0, port: $1) }),
        ("udp://", { .datagrams(address: $0, port: $1) }),
    ]

    private static func hostAndPort(_ authority: Substring, _ text: String) throws(Failure) -> (String, Int) {
        let host: Substring
        let rest: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else {
                throw Failure(description: "\"\(text)\" lacks the closing bracket of an IPv6 address")
            }
            host = authority[authority.index(after: authority.startIndex)..<end]
            rest = authority[authority.index(after: end)...]
            guard host.contains(":"), IPAddress(parsing: host) != nil else {
                throw Failure(description: "\"\(host)\" is not an IPv6 address")
            }
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority.dropFirst(host.count)
            guard !rest.dropFirst().contains(":") else {
                throw Failure(description: "\"\(text)\": an IPv6 address needs brackets, as in tcp://[::1]:10110")
            }
        }
        guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(isHostByte) else {
            throw Failure(description: "\"\(host)\" is not the name or the IP address of a host")
        }
        guard !rest.isEmpty else { return (String(host), defaultPort) }
        let digits = rest.utf8.dropFirst()
        guard rest.first == ":", !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(rest.dropFirst()), (1...65535).contains(port)
        else { throw Failure(description: "\"\(text)\": the port is a whole number from 1 to 65535") }
        return (String(host), port)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: ".-_:%".utf8.contains(byte)
        }
    }
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
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
