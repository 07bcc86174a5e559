/// The error for an invalid address in the configuration, with the permitted forms.
package struct InvalidAddress: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A host and a port in a text such as `phone.local:10110`, `192.168.1.20` or `[fd00::1]:2000`.
package struct HostAndPort: Sendable, Hashable {
    /// The name or the IP address, without brackets.
    package let host: String
    package let port: Int

    /// The port that IANA assigned to NMEA 0183 over TCP and UDP: `nmea-0183`.
    package static let defaultPort = 10110

    /// Parses a host with or without a port.
    ///
    /// - Parameters:
    ///   - text: The text that the error repeats.
    ///   - defaultPort: The port if the text has none.
    package init(
        parsing authority: Substring, in text: String, defaultPort: Int = defaultPort
    ) throws(InvalidAddress) {
        let host: Substring
        let rest: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else {
                throw InvalidAddress("\"\(text)\" lacks the closing bracket of an IPv6 address")
            }
            host = authority[authority.index(after: authority.startIndex)..<end]
            rest = authority[authority.index(after: end)...]
            guard host.contains(":"), IPAddress(parsing: host) != nil else {
                throw InvalidAddress("\"\(host)\" is not an IPv6 address")
            }
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority.dropFirst(host.count)
            guard !rest.dropFirst().contains(":") else {
                throw InvalidAddress("\"\(text)\": an IPv6 address needs brackets, as in [::1]:\(defaultPort)")
            }
        }
        guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(Self.isHostByte) else {
            throw InvalidAddress("\"\(host)\" is not the name or the IP address of a host")
        }
        self.host = String(host)
        guard !rest.isEmpty else {
            port = defaultPort
            return
        }
        let digits = rest.utf8.dropFirst()
        guard rest.first == ":", !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(rest.dropFirst()), (1...65535).contains(port)
        else { throw InvalidAddress("\"\(text)\": the port is a whole number from 1 to 65535") }
        self.port = port
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: ".-_:%".utf8.contains(byte)
        }
    }

    /// Returns the text of a host and a port.
    package static func text(_ host: String, _ port: Int) -> String {
        "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
