extension Sentence {
    /// Returns the milliseconds since midnight from `hhmmss` or `hhmmss.sss`, or `nil`. Digits beyond the
    /// millisecond are cut off.
    ///
    /// Second 60 results from rounding and is the next minute, except in the last minute of the day. There it is a
    /// leap second, which has no time of its own in POSIX time. It is reported as 59.990, so that no epoch has the
    /// time of the next one.
    @inline(__always)
    func time(_ index: Int, _ bytes: RawSpan) -> Int32? { field(index).time(bytes) }

    /// Returns the length of a time's field: 0 if it has no digit before a point, as in the `.00` of modems and
    /// simulators that do not know the time.
    @inline(__always)
    func timeLength(_ index: Int, _ bytes: RawSpan) -> Int {
        letter(index, bytes) == UInt8(ascii: ".") ? 0 : length(index)
    }
}

extension Field {
    func time(_ bytes: RawSpan) -> Int32? {
        guard length >= 6 else { return length > 0 ? unusualTime(bytes) : nil }
        guard let whole = EightDigits.integer(bytes.word(at: start), length: 6) else { return unusualTime(bytes) }
        var milliseconds: Int32 = 0
        if length > 6 {
            guard bytes.byte(at: start &+ 6) == UInt8(ascii: ".") else { return unusualTime(bytes) }
            if length > 7 {
                let digits = min(length &- 7, 3)
                guard let fraction = EightDigits.integer(bytes.word(at: start &+ 7), length: digits) else {
                    return unusualTime(bytes)
                }
                milliseconds = Int32(truncatingIfNeeded: fraction)
                if digits == 1 { milliseconds &*= 100 } else if digits == 2 { milliseconds &*= 10 }
            }
        }
        return Self.time(hhmmss: Int32(truncatingIfNeeded: whole), milliseconds)
    }

    @inline(__always)
    private static func time(hhmmss: Int32, _ milliseconds: Int32) -> Int32? {
        let hour = hhmmss / 10_000
        let minute = hhmmss / 100 % 100
        let second = hhmmss % 100
        guard hour < 24, minute < 60, second <= 60 else { return nil }
        if second == 60, hour == 23, minute == 59 { return 86_399_990 }
        return (hour &* 3600 &+ minute &* 60 &+ second) &* 1000 &+ milliseconds
    }

    /// Returns the time from a field that was printed as a number: without its first zero, or with an exponent.
    ///
    /// Fewer than five digits are not a time: a sentence that has lost two zeros on the wire has the same checksum.
    @inline(never)
    private func unusualTime(_ bytes: RawSpan) -> Int32? {
        let number = unsigned(bytes)
        var digits = 0
        while digits < length, bytes.byte(at: start &+ digits) &- UInt8(ascii: "0") < 10 { digits &+= 1 }
        let hasExponent = (0..<length).contains { bytes.byte(at: start &+ $0) | 0x20 == UInt8(ascii: "e") }
        guard !number.isNone, digits >= 5 || hasExponent else { return nil }
        let unit = FixedPoint.powerOfTen(number.scale)
        let (hhmmss, rest) = number.mantissa.quotientAndRemainder(dividingBy: unit)
        guard hhmmss < 240_000 else { return nil }
        let milliseconds =
            number.scale < 3
            ? rest &* FixedPoint.powerOfTen(3 &- number.scale) : rest / FixedPoint.powerOfTen(number.scale &- 3)
        return Self.time(
            hhmmss: Int32(truncatingIfNeeded: hhmmss), Int32(truncatingIfNeeded: milliseconds))
    }
}

/// The last position, with its text. Several sentences of an epoch send the same position, and comparing the text is
/// less work than reading the numbers.
struct LatestPosition {
    /// The text in words of eight bytes. The last two may overlap.
    private var text = SIMD4<UInt64>()
    /// The length of the text: 24...32, or 0 before the first position.
    private var length = 0
    private var position = Position.absent

    /// Returns the position in four fields of a sentence from `index` on.
    @inline(never)
    mutating func read(_ sentence: Sentence, _ index: Int, _ bytes: RawSpan) -> Position {
        let start = sentence.start(index)
        let length = sentence.start(index &+ 3) &+ 1 &- start
        guard 24...32 ~= length else { return sentence.position(index, bytes) }
        let text = SIMD4(
            bytes.word(at: start), bytes.word(at: start &+ 8), bytes.word(at: start &+ 16),
            bytes.word(at: start &+ length &- 8))
        if text != self.text || length != self.length {
            (self.text, self.length) = (text, length)
            position = sentence.position(index, bytes)
        }
        return position
    }
}

extension Sentence {
    /// Returns the position in four fields from `index` on: latitude, `N` or `S`, longitude, `E` or `W`.
    fileprivate func position(_ index: Int, _ bytes: RawSpan) -> Position {
        let latitude = field(index)
        let longitude = field(index &+ 2)
        guard latitude.length > 0, longitude.length > 0 else { return .absent }
        let northOrSouth = letter(index &+ 1, bytes)
        let eastOrWest = letter(index &+ 3, bytes)
        guard northOrSouth == UInt8(ascii: "N") || northOrSouth == UInt8(ascii: "S"),
            eastOrWest == UInt8(ascii: "E") || eastOrWest == UInt8(ascii: "W"),
            var north = latitude.angle(bytes), var east = longitude.angle(bytes)
        else { return .unreadable }
        guard north <= 90 * 60_000_000_000, east <= 180 * 60_000_000_000 else { return .outOfRange }
        if northOrSouth == UInt8(ascii: "S") { north = 0 &- north }
        if eastOrWest == UInt8(ascii: "W") { east = 0 &- east }
        return .valid(Coordinate(nanominutes: north), Coordinate(nanominutes: east))
    }
}

extension Field {
    /// Returns `dddmm.mmmm` as billionths of a minute, or more than any coordinate if the minutes are not below 60.
    func angle(_ bytes: RawSpan) -> Int64? {
        let number = unsigned(bytes)
        guard !number.isNone else { return nil }
        // Billionths of the number as written, dddmm.mmmm. It has at most 17 digits, so neither branch overflows.
        let written: UInt64
        if number.scale <= 9 {
            guard number.mantissa < 100_000 * FixedPoint.powerOfTen(number.scale) else { return .max }
            written = UInt64(truncatingIfNeeded: number.mantissa &* FixedPoint.powerOfTen(9 &- number.scale))
        } else {
            written = UInt64(truncatingIfNeeded: number.mantissa / FixedPoint.powerOfTen(number.scale &- 9))
        }
        let degrees = written / 100_000_000_000
        let minutes = written &- degrees &* 100_000_000_000
        guard minutes < 60_000_000_000 else { return .max }
        return Int64(truncatingIfNeeded: degrees &* 60_000_000_000 &+ minutes)
    }
}

/// The position in a sentence.
enum Position {
    case absent
    case unreadable
    case outOfRange
    case valid(Coordinate, Coordinate)
}
