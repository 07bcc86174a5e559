internal import NMEA

/// The framings of surveying receivers and of programs, as far as they distinguish a message from noise.

/// Septentrio Binary Format (mosaic Reference Guide, "SBF Outline"): `$@`, a CRC of 16 bits, the identifier, the length
/// of the whole block, which is a multiple of 4, and the body. The CRC is CCITT's, of all bytes after it.
struct SBFFraming {
    private var count = 0
    private var length = 0
    private var expected: UInt16 = 0
    private var remainder: UInt16 = 0

    /// Reads a byte. Returns whether it is the last one of a block.
    mutating func read(_ byte: UInt8) -> Bool {
        switch count {
        case 0 where byte == UInt8(ascii: "$"): count = 1
        case 0: break
        case 1 where byte == UInt8(ascii: "@"): (count, remainder) = (2, 0)
        case 1: count = byte == UInt8(ascii: "$") ? 1 : 0
        case 2: (count, expected) = (3, UInt16(byte))
        case 3: (count, expected) = (4, expected | UInt16(byte) << 8)
        default:
            if count == 6 { length = Int(byte) }
            if count == 7 { length |= Int(byte) << 8 }
            remainder ^= UInt16(byte) << 8
            for _ in 0..<8 { remainder = remainder & 0x8000 != 0 ? remainder << 1 ^ 0x1021 : remainder << 1 }
            count += 1
            if count == 8, length <= 8 || length % 4 != 0 { count = 0 }
            guard count > 8, count == length else { return false }
            count = 0
            return remainder == expected
        }
        return false
    }
}

/// The binary messages of NovAtel (OEM7 Commands and Logs, "Binary" and "Short Binary") and Unicore (UM980 Reference
/// Commands, "Binary Messages"): AA 44, a byte for the kind, a header with the length of the body, and a CRC of 32
/// bits.
struct NovAtelFraming {
    private var kind: UInt8 = 0
    private var count = 0
    private var headerLength = 0
    private var length = 0
    private var crc = CRC32()
    private var trailer: UInt32 = 0

    /// Reads a byte. Returns the protocol if it is the last one of a message.
    mutating func read(_ byte: UInt8) -> OtherProtocol? {
        switch count {
        case 0: crc = CRC32()
        case 1 where byte != 0x44: count = byte == 0xAA ? 1 : 0
        case 2:
            kind = byte
            length = 0
            switch byte {
            case 0x12: headerLength = 28
            case 0x13: headerLength = 12
            case 0xB5: headerLength = 24
            default: count = 0
            }
        default: break
        }
        guard count > 0 || byte == 0xAA else { return nil }
        if count == 1, byte == 0xAA { return nil }
        readLength(byte)
        if count > 3, count >= headerLength + length {
            trailer = trailer >> 8 | UInt32(byte) << 24
        } else {
            crc.add(byte)
        }
        count += 1
        guard count > headerLength, count > 3, count == headerLength + length + 4 else { return nil }
        count = 0
        guard trailer == crc.remainder else { return nil }
        return kind == 0xB5 ? .unicoreBinary : .novAtelBinary
    }

    private mutating func readLength(_ byte: UInt8) {
        switch (kind, count) {
        case (0x12, 3): headerLength = max(Int(byte), 10)
        case (0x13, 3), (0x12, 8), (0xB5, 6): length = Int(byte)
        case (0x12, 9), (0xB5, 7): length |= Int(byte) << 8
        default: break
        }
    }
}

/// The ASCII messages of NovAtel (OEM7 Commands and Logs, "ASCII" and "Short ASCII") and Unicore: `#` or `%`, text, `*`
/// and a CRC of 32 bits in eight hexadecimal digits.
struct ASCIILogFraming {
    /// The number of characters so far, or 0 outside a message.
    private var count = 0
    /// The number of digits of the CRC so far, or `nil` before the `*`.
    private var digits: Int?
    private var crc = CRC32()
    private var sent: UInt32 = 0

    /// Reads a byte. Returns whether it is the last one of a message.
    mutating func read(_ byte: UInt8) -> Bool {
        if byte == UInt8(ascii: "#") || byte == UInt8(ascii: "%") {
            (count, digits, crc, sent) = (1, nil, CRC32(), 0)
            return false
        }
        guard count > 0 else { return false }
        count += 1
        guard let digits else {
            if byte == UInt8(ascii: "*") {
                self.digits = count > 4 ? 0 : nil
            } else if (0x20...0x7E).contains(byte), count <= 65_536 {
                crc.add(byte)
            } else {
                count = 0
            }
            return false
        }
        guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
            count = 0
            return false
        }
        sent = sent << 4 | UInt32(digit)
        self.digits = digits + 1
        guard digits == 7 else { return false }
        count = 0
        return sent == crc.remainder
    }
}

/// A JSON object on a line, as programs send it.
struct JSONLineFraming {
    private static let beginning = Array("{\"".utf8)

    private var count = 0
    private var hasKey = false
    private var last: UInt8 = UInt8(ascii: "\n")

    /// Reads a byte. Returns whether it ends the line of an object.
    mutating func read(_ byte: UInt8) -> Bool {
        defer { last = byte }
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
            defer { (count, hasKey) = (0, false) }
            return count >= 8 && hasKey && last == UInt8(ascii: "}")
        }
        guard count < Self.beginning.count else {
            if byte == UInt8(ascii: ":"), last == UInt8(ascii: "\"") { hasKey = true }
            // Any other character ends the object. The next one begins after the next line end.
            count = (0x20...0x7E).contains(byte) ? count + 1 : 0
            return false
        }
        let isNext =
            byte == Self.beginning[count] && (count > 0 || last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r"))
        count = isNext ? count + 1 : 0
        return false
    }
}
