// UNIHEADINGA: Unicore Reference Commands Manual for N4 high precision products, "UNIHEADING". It is a log in ASCII, as
// NovAtel has them: `#`, a header, `;`, fields, `*` and the eight hexadecimal digits of a CRC.

/// A log UNIHEADINGA, which a receiver with two antennas sends between sentences.
struct UnicoreHeading {
    private static let name: StaticString = "#UNIHEADINGA,"
    /// The characters from the `*` on.
    private static let trailer = 9

    /// The offset of the first field after the header.
    let start: Int
    /// The offset of the first byte after the log.
    let end: Int

    /// Returns the fields after the header.
    func fields(_ bytes: RawSpan) -> Sentence {
        let length = end &- Self.trailer &- start
        var commas: UInt128 = 0
        for index in 0..<min(length, Sentence.reach) where bytes.byte(at: start &+ index) == UInt8(ascii: ",") {
            commas |= 1 &<< UInt128(truncatingIfNeeded: index)
        }
        return Sentence(base: start, commas: commas, length: length)
    }

    /// Looks for the log at `start`, the place of a `#`.
    static func scan(_ bytes: RawSpan, from start: Int) -> UBXFrame.Scan {
        let available = bytes.byteCount &- start
        let name = Self.name.utf8CodeUnitCount
        for index in 0..<min(available, name)
        where bytes.byte(at: start &+ index) != Self.name.utf8Start[index] { return .absent }
        guard available >= name else { return .cutOff(atLeast: name) }
        let limit = start &+ NMEADecoder.maximumSentenceLength
        var (offset, header) = (start &+ name, 0)
        while offset < min(bytes.byteCount, limit) {
            let byte = bytes.byte(at: offset)
            if byte == UInt8(ascii: "*") { break }
            guard (0x20...0x7E).contains(byte), byte != UInt8(ascii: "$") else { return .absent }
            if byte == UInt8(ascii: ";"), header == 0 { header = offset &+ 1 }
            offset &+= 1
        }
        guard offset &+ Self.trailer <= limit else { return .absent }
        guard offset &+ Self.trailer <= bytes.byteCount else {
            return .cutOff(atLeast: offset &+ Self.trailer &- start)
        }
        guard header > 0 else { return .absent }
        var crc = CRC32()
        for index in (start &+ 1)..<offset { crc.add(bytes.byte(at: index)) }
        guard crc.remainder == hexadecimal(bytes, offset &+ 1) else { return .broken }
        return .log(UnicoreHeading(start: header, end: offset &+ Self.trailer))
    }

    /// Returns the number in the eight hexadecimal digits at an offset, or `nil` if they are not digits.
    private static func hexadecimal(_ bytes: RawSpan, _ start: Int) -> UInt32? {
        var number: UInt32 = 0
        for offset in start..<(start &+ 8) {
            let character = bytes.byte(at: offset)
            let decimal = character &- UInt8(ascii: "0")
            let letter = (character | 0x20) &- UInt8(ascii: "a")
            guard decimal < 10 || letter < 6 else { return nil }
            number = number &<< 4 | UInt32(decimal < 10 ? decimal : letter &+ 10)
        }
        return number
    }

    /// A Boolean value indicating whether the ambiguities are resolved: SOL_COMPUTED (0), and L1_INT, WIDE_INT or
    /// NARROW_INT (1).
    static func isFixed(_ fields: Sentence, _ bytes: RawSpan) -> Bool {
        let (status, kind) = (fields.field(0), fields.field(1))
        guard status.length == 12, bytes.word(at: status.start) == solution,
            bytes.word(at: status.start &+ 4) == computed, kind.length >= 6
        else { return false }
        return UInt32(truncatingIfNeeded: bytes.word(at: kind.start &+ kind.length &- 4)) == integer
    }

    /// "SOL_COMP", "COMPUTED" and "_INT", in memory order.
    private static let solution: UInt64 = 0x504D_4F43_5F4C_4F53
    private static let computed: UInt64 = 0x4445_5455_504D_4F43
    private static let integer: UInt32 = 0x544E_495F
}

extension NMEADecoder {
    /// Reads UNIHEADINGA: the state of the solution (0, 1), the length of the base line in metres (2), its direction
    /// from the first antenna to the second one (3), and the standard deviation of that (6). Returns whether the
    /// direction is a heading of the device. Both antennas are connected to one receiver, so the line may be short.
    mutating func readUnicoreHeading(_ log: UnicoreHeading, _ bytes: RawSpan) -> Bool {
        let fields = log.fields(bytes)
        guard UnicoreHeading.isFixed(fields, bytes), let length = fields.decimal(2, bytes).scaled(by: 10_000),
            length > 0, length <= Double(BaseLine.lengths.upperBound)
        else { return false }
        return compass.read(
            Talker(code: 0x4E_47), true: fields.decimal(3, bytes),
            accuracy: BaseLine.accuracy(fields.decimal(6, bytes)))
    }
}
