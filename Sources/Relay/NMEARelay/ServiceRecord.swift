/// The host and the port of a service: the data of an SRV record, RFC 2782.
package struct ServiceRecord: Sendable, Hashable {
    /// The name of the host, in lowercase and without a trailing dot.
    package let host: String
    package let port: Int

    /// Parses a record's data; names must not be compressed. Returns `nil` if it is malformed, or if the host or the
    /// port cannot be used.
    package init?(data: [UInt8]) {
        // Priority, weight and port.
        guard data.count > 6 else { return nil }
        port = Int(data[4]) << 8 | Int(data[5])
        var rest = data[6...]
        var labels: [String] = []
        while let length = rest.popFirst(), length > 0 {
            // Two bits are set in a pointer: RFC 1035, section 4.1.4.
            guard length < 64, rest.count > length else { return nil }
            let label = rest.prefix(Int(length))
            guard !label.contains(UInt8(ascii: ".")) else { return nil }
            labels.append(String(decoding: label.map(Self.small), as: UTF8.self))
            rest = rest.dropFirst(Int(length))
        }
        host = labels.joined(separator: ".")
        guard rest.isEmpty, port > 0, HostName.isValid(host) else { return nil }
    }

    /// Returns a byte in lowercase if it is a letter: names are case-insensitive, RFC 1035, section 2.3.3.
    private static func small(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Returns the name of a service's records in the form that Avahi parses: RFC 1035, section 5.1.
    package static func name(of service: String, _ transport: Announcement.Transport) -> String {
        var label = ""
        for byte in service.utf8 {
            // Three decimal digits.
            label +=
                HostName.isNameByte(small(byte))
                ? String(decoding: [byte], as: UTF8.self)
                : "\\\(String(1000 + Int(byte)).dropFirst())"
        }
        return "\(label).\(transport.serviceType).local"
    }
}
