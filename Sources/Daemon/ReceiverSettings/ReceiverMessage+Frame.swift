internal import SentenceWriting

extension ReceiverMessage {
    /// The bytes of the message.
    var frame: [UInt8] {
        switch self {
        case .ubx(let kind, let payload):
            // Two sync bytes, class, identifier, length, payload, Fletcher's checksum (u-blox, "UBX checksum").
            let body = kind.bigEndianBytes + UInt16(payload.count).littleEndianBytes + payload
            var (a, b): (UInt8, UInt8) = (0, 0)
            for byte in body {
                a &+= byte
                b &+= a
            }
            return [0xB5, 0x62] + body + [a, b]
        case .casic(let kind, let payload):
            // The checksum sums identifier, class and length, and the payload in words of 32 bits (CASIC, "checksum").
            let length = UInt16(payload.count)
            var checksum = UInt32(kind & 0xFF) << 24 &+ UInt32(kind >> 8) << 16 &+ UInt32(length)
            for (index, byte) in payload.enumerated() { checksum &+= UInt32(byte) << (8 * UInt32(index % 4)) }
            return [0xBA, 0xCE] + length.littleEndianBytes + kind.bigEndianBytes + payload + checksum.littleEndianBytes
        case .skytraq(let payload):
            return [0xA0, 0xA1] + UInt16(payload.count).bigEndianBytes + payload + [payload.reduce(0, ^), 0x0D, 0x0A]
        case .sentence(let fields):
            var writer = SentenceWriter()
            writer.add(fields.joined(separator: ","))
            return writer.bytes
        }
    }

    /// Creates a sentence from its address and its fields.
    static func sentence(_ address: String, _ fields: [Int]) -> ReceiverMessage {
        .sentence([address] + fields.map(String.init))
    }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension Collection<UInt8> {
    /// Returns the number in these bytes, the lowest first.
    var littleEndianNumber: Int { reversed().reduce(0) { $0 << 8 | Int($1) } }
}
