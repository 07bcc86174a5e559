package import Glibc

/// An IP address. An IPv4-mapped IPv6 address, as dual-stack sockets report it, equals the IPv4 address.
package struct IPAddress: Sendable, Hashable {
    /// The bytes: four for IPv4, sixteen for IPv6.
    package let bytes: [UInt8]

    /// Creates an address from its four or sixteen bytes. Returns `nil` for any other number of bytes.
    package init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4: self.bytes = bytes
        // RFC 4291, section 2.5.5.2: ::ffff:0:0/96.
        case 16 where bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff:
            self.bytes = Array(bytes[12...])
        case 16: self.bytes = bytes
        default: return nil
        }
    }

    /// Creates an address from a socket address. Returns `nil` if it is not an IP address.
    ///
    /// - Parameter address: The address, in memory of at least its family's size: ip(7), ipv6(7).
    package init?(socketAddress address: UnsafePointer<sockaddr>) {
        // The port, and for IPv6 the flow information, precede the address.
        let (start, count) =
            switch CInt(address.pointee.sa_family) {
            case AF_INET: (4, 4)
            case AF_INET6: (8, 16)
            default: (0, 0)
            }
        self.init(bytes: Array(UnsafeRawBufferPointer(start: address, count: start + count)[start...]))
    }

    /// Parses an address such as `192.168.1.20` or `fe80::1`, with or without the zone of an IPv6 address.
    package init?(parsing text: some StringProtocol) {
        let address = String(text.prefix { $0 != "%" })
        guard !address.utf8.contains(0), address.contains(":") || address.utf8.count == text.utf8.count else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        let family = address.contains(":") ? AF_INET6 : AF_INET
        guard inet_pton(family, address, &bytes) == 1 else { return nil }
        self.init(bytes: family == AF_INET ? Array(bytes.prefix(4)) : bytes)
    }

    /// A Boolean value indicating whether packets to the address go to every member of a group: RFC 1112, section 4,
    /// and RFC 4291, section 2.7.
    package var isMulticast: Bool { bytes.count == 4 ? bytes[0] & 0xf0 == 0xe0 : bytes[0] == 0xff }

    /// A Boolean value indicating whether the address is link-local: RFC 3927, section 2.1, and RFC 4291, section
    /// 2.5.6. A link-local IPv6 address means nothing without its interface.
    package var isLinkLocal: Bool {
        bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
    }

    /// A Boolean value indicating whether the address belongs to one other host: it is neither multicast nor broadcast,
    /// and does not lead back to this machine. RFC 6890, section 2.2.2.
    package var isHost: Bool {
        if bytes.count == 4 { return bytes[0] != 0 && bytes[0] != 127 && bytes[0] < 0xe0 }
        // ::/96 contains the loopback address, the unspecified address, and IPv4 addresses in disguise.
        return !isMulticast && !bytes.prefix(12).allSatisfy { $0 == 0 }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address without a zone: RFC 5952.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return ""
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The addresses that share their first bits: `192.168.1.0/24`, `fd00::/8`, or a single address.
package struct AddressRange: Sendable, Hashable {
    private let first: IPAddress
    private let length: Int

    /// Parses a range. The bits after its length must be zero: other bits suggest a mistake.
    package init(parsing text: String) throws(InvalidAddress) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parsing: parts[0]), !text.contains("%") else {
            throw InvalidAddress(
                "\"\(text)\" is not a range of addresses: write one as 192.168.1.0/24, fd00::/8 or ::1")
        }
        let bits = 8 * address.bytes.count
        guard parts.count == 2 else {
            (first, length) = (address, bits)
            return
        }
        let digits = parts[1].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits, let length = Int(parts[1]), length <= bits else {
            throw InvalidAddress("\"\(text)\": the length after the slash is a whole number from 0 to \(bits)")
        }
        guard (length..<bits).allSatisfy({ !Self.bit($0, of: address.bytes) }) else {
            throw InvalidAddress(
                "\"\(text)\" is an address in a range: write zeros behind the first \(length) bits")
        }
        (first, self.length) = (address, length)
    }

    private static func bit(_ index: Int, of bytes: [UInt8]) -> Bool {
        let byte = bytes[index / 8]
        return byte & (0x80 >> UInt8(index % 8)) != 0
    }

    /// Returns whether the range contains an address.
    package func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == first.bytes.count else { return false }
        let (whole, rest) = length.quotientAndRemainder(dividingBy: 8)
        guard address.bytes.prefix(whole) == first.bytes.prefix(whole) else { return false }
        return rest == 0 || (address.bytes[whole] ^ first.bytes[whole]) >> (8 - rest) == 0
    }
}
