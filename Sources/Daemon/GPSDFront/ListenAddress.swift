internal import Glibc

/// A TCP address for the service to listen on, reachable from this machine alone.
public struct ListenAddress: Sendable, Hashable {
    /// The error for text that is not such an address.
    public struct ParseError: Error, Equatable, CustomStringConvertible {
        /// The problem and the valid alternatives.
        public let description: String
    }

    /// The IP address as inet_ntop(3) writes it, without brackets: one of 127.0.0.0/8, or `::1`.
    public let address: String
    /// The port, 1 to 65535.
    public let port: UInt16

    /// Parses `127.0.0.1:2947` or `[::1]:2947`.
    ///
    /// Attack: a client on another machine, or in another network namespace, is a process that the kernel does not
    /// identify to this one. So the service does not listen where such a client could reach it.
    public init(parsing text: String) throws(ParseError) {
        guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[text.index(after: colon)...]) else {
            throw ParseError(
                description: "\"\(text)\" lacks a port from 1 to 65535: write it as in 127.0.0.1:2947 or [::1]:2947")
        }
        let host = text[..<colon]
        let isIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
        let address = isIPv6 ? Self.loopbackIPv6(host.dropFirst().dropLast()) : Self.loopbackIPv4(host)
        guard let address else {
            throw ParseError(
                description: """
                    "\(host)" is not a loopback address, and only programs of this machine can be identified: use one \
                    of 127.0.0.0/8, as in 127.0.0.1:2947, or [::1]:2947
                    """)
        }
        self.address = address
        self.port = port
    }

    /// Returns the port. Swift's own conversion also accepts a sign.
    private static func port(_ text: Substring) -> UInt16? {
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let port = UInt16(text) else {
            return nil
        }
        return port > 0 ? port : nil
    }

    /// Returns the address, or `nil` if it is not a loopback address. C's functions would read a text only up to a NUL.
    private static func loopbackIPv4(_ text: Substring) -> String? {
        var address = [UInt8](repeating: 0, count: 4)
        guard !text.utf8.contains(0), inet_pton(AF_INET, String(text), &address) == 1, address[0] == 127 else {
            return nil
        }
        // The spelling is unique: inet_pton(3) accepts neither leading zeros nor fewer than four numbers.
        return String(text)
    }

    private static func loopbackIPv6(_ text: Substring) -> String? {
        var address = [UInt8](repeating: 0, count: 16)
        guard !text.utf8.contains(0), inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
        return address.dropLast().allSatisfy { $0 == 0 } && address.last == 1 ? "::1" : nil
    }
}

extension ListenAddress: CustomStringConvertible {
    /// The text that ``init(parsing:)`` parses into this value.
    public var description: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
