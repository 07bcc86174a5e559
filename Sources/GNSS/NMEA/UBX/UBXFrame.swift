/// A frame of u-blox's binary protocol, which receivers send between sentences.
///
/// It consists of the bytes 0xB5 and 0x62, the class, the identifier, the length of the payload (two bytes), the
/// payload and two checksum bytes. Numbers are little-endian (u-blox M8 Receiver Description, "UBX protocol").
struct UBXFrame {
    /// The maximum length of a payload, in bytes. Raw measurements of 60 signals have 1,936 bytes, and the longest
    /// message of a current receiver about 3,000. A longer frame counts as noise, so that a damaged length delays no
    /// more input than this.
    static let maximumPayload = 4096
    /// The bytes before and after the payload.
    static let overhead = 8
    private static let headerLength = 6

    /// The class in the high byte, the identifier in the low byte.
    let kind: UInt16
    /// The offset of the payload.
    let start: Int
    /// The length of the payload, in bytes.
    let length: Int

    enum Scan {
        case intact(UBXFrame)
        /// A log of Unicore's in ASCII, which is looked for like a frame.
        case log(UnicoreHeading)
        /// The bytes look like a frame, but the checksum is wrong.
        case broken
        /// No frame begins here.
        case absent
        /// The bytes end before the frame, which has at least this number of bytes.
        case cutOff(atLeast: Int)
    }

    /// Looks for a frame at `offset`, the place of a 0xB5, or for a log at the place of a `#`.
    static func scan(_ bytes: RawSpan, from offset: Int) -> Scan {
        if bytes.byte(at: offset) == UInt8(ascii: "#") { return UnicoreHeading.scan(bytes, from: offset) }
        let available = bytes.byteCount &- offset
        if available > 1, bytes.byte(at: offset &+ 1) != 0x62 { return .absent }
        guard available >= headerLength else { return .cutOff(atLeast: headerLength) }
        let length = Int(UInt16(at: offset &+ 4, in: bytes))
        guard length <= maximumPayload else { return .absent }
        guard available >= length &+ overhead else { return .cutOff(atLeast: length &+ overhead) }
        let end = offset &+ headerLength &+ length
        guard checksum(bytes, offset &+ 2, end) == UInt16(at: end, in: bytes) else { return .broken }
        let kind = UInt16(at: offset &+ 2, in: bytes).byteSwapped
        return .intact(UBXFrame(kind: kind, start: offset &+ headerLength, length: length))
    }

    /// Returns the first offset between `start` and `end` where a frame may begin, or `nil` if there is no such offset.
    static func start(in bytes: RawSpan, _ start: Int, _ end: Int) -> Int? {
        var offset = start
        while offset < end {
            if bytes.byte(at: offset) == 0xB5, offset &+ 1 == end || bytes.byte(at: offset &+ 1) == 0x62 {
                return offset
            }
            offset &+= 1
        }
        return nil
    }

    /// The offset of the first byte after the frame.
    var end: Int { start &+ length &+ 2 }

    /// Returns the sums of RFC 1145 as the two bytes of the checksum.
    static func checksum(_ bytes: RawSpan, _ start: Int, _ end: Int) -> UInt16 {
        var (a, b) = (UInt8(0), UInt8(0))
        for offset in start..<end {
            a &+= bytes.byte(at: offset)
            b &+= a
        }
        return UInt16(a) | UInt16(b) &<< 8
    }

    /// Returns a number at an offset in the payload.
    func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ offset: Int, _ bytes: RawSpan, as: Number.Type = Number.self
    ) -> Number {
        Number(at: start &+ offset, in: bytes)
    }
}

extension FixedWidthInteger where Self: BitwiseCopyable {
    /// Creates the number from its bytes at an offset, the lowest first. Traps if the span does not contain all of
    /// them.
    fileprivate init(at offset: Int, in bytes: RawSpan) {
        self.init(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Self.self))
    }
}
