/// A UBX frame with a payload that can be changed.
struct ShiftedFrame {
    private static let headerLength = 6

    private var frame: [UInt8]

    /// Creates the frame that consists of these bytes.
    init(_ frame: [UInt8]) { self.frame = frame }

    /// The frame with its checksum.
    var bytes: [UInt8] {
        var bytes = frame
        let end = frame.count - 2
        let sum = UBXFrame.checksum(frame.span.bytes, 2, end)
        (bytes[end], bytes[end + 1]) = (UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8))
        return bytes
    }

    /// The byte at an offset in the payload.
    subscript(offset: Int) -> UInt8 {
        get { frame[Self.headerLength + offset] }
        set { frame[Self.headerLength + offset] = newValue }
    }

    /// Returns the number at an offset in the payload.
    func number<Number: FixedWidthInteger>(_ offset: Int, as: Number.Type) -> Number {
        (0..<MemoryLayout<Number>.size).reduce(0) { $0 | Number(truncatingIfNeeded: self[offset + $1]) << ($1 * 8) }
    }

    mutating func setNumber(_ offset: Int, _ number: some FixedWidthInteger) {
        for index in 0..<(number.bitWidth / 8) {
            self[offset + index] = UInt8(truncatingIfNeeded: number >> (index * 8))
        }
    }

    mutating func clear(_ offsets: Range<Int>) {
        for offset in offsets { self[offset] = 0 }
    }
}
