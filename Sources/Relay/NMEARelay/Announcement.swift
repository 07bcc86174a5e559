/// A usable announcement of NMEA 0183 in the local network by DNS-SD, RFC 6763.
///
/// Any host in the network can announce anything, so an announcement proves nothing.
package struct Announcement: Sendable, Hashable {
    package enum Transport: String, Sendable, Hashable, Codable, CaseIterable {
        case tcp, udp

        /// The name to browse for: RFC 6763, section 7.
        package var serviceType: String { "_nmea-0183._\(rawValue)" }
    }

    /// The maximum length of a service's name, in bytes: RFC 6763, section 4.1.1.
    package static let maximumNameLength = 63

    /// The name shown to users. It may have any character but NUL, so sanitize it before displaying it.
    package let name: String
    package let transport: Transport
    /// The name of the announced host, in lowercase.
    package let host: String
    package let address: IPAddress
    package let port: Int
    /// The name of the network interface that received the announcement.
    package let interface: String

    /// Creates an announcement, or returns `nil` if it cannot be used.
    ///
    /// Attack: an announcement leads to the machine itself, where any local user may listen, or to all hosts in the
    /// network. So the address must belong to one other host.
    package init?(
        name: String, transport: Transport, host: String, address: IPAddress, port: Int, interface: String
    ) {
        guard Self.isName(name), HostName.isValid(host), address.isHost, (1...65535).contains(port),
            interface.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }), (1...15).contains(interface.utf8.count)
        else { return nil }
        self.name = name
        self.transport = transport
        self.host = host
        self.address = address
        self.port = port
        self.interface = interface
    }

    /// Returns whether a service can have this name.
    static func isName(_ name: String) -> Bool {
        (1...maximumNameLength).contains(name.utf8.count) && !name.utf8.contains(0)
    }

    /// The address in the form for a source: a link-local IPv6 address includes its interface, RFC 4007, section 11.
    package var addressText: String {
        address.isLinkLocal && address.bytes.count == 16 ? "\(address)%\(interface)" : "\(address)"
    }
}

extension Announcement: Codable {
    private enum CodingKeys: String, CodingKey { case name, transport, host, address, port, interface }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let address = IPAddress(parsing: try container.decode(String.self, forKey: .address))
        let decoded = try address.flatMap {
            Announcement(
                name: try container.decode(String.self, forKey: .name),
                transport: try container.decode(Transport.self, forKey: .transport),
                host: try container.decode(String.self, forKey: .host), address: $0,
                port: try container.decode(Int.self, forKey: .port),
                interface: try container.decode(String.self, forKey: .interface))
        }
        guard let decoded else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not an announcement that can be used"))
        }
        self = decoded
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(transport, forKey: .transport)
        try container.encode(host, forKey: .host)
        try container.encode(addressText, forKey: .address)
        try container.encode(port, forKey: .port)
        try container.encode(interface, forKey: .interface)
    }
}

/// The name of a host.
enum HostName {
    /// Returns whether a text is the name of a host, in lowercase, and not an address in disguise: RFC 1123, section
    /// 2.1, plus underscores, which home routers use.
    static func isValid(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, let last = labels.last?.first, isLetter(last) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.allSatisfy(isNameByte)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    /// Returns whether a label may contain a byte; letters must be lowercase.
    static func isNameByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_".utf8.contains(byte)
    }
}
