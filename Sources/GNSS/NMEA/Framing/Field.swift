/// One field of a sentence: the place of its characters.
struct Field {
    var start: Int
    var length: Int

    /// Returns the first character, or 0 if the field is empty. A field does not include surrounding blanks
    /// (``Sentence/withoutBlanks(_:to:)``).
    @inline(__always)
    func letter(_ bytes: RawSpan) -> UInt8 {
        length > 0 ? bytes.byte(at: start) : 0
    }

    /// Returns an unsigned whole number, which nearly always has at most three digits, or -1 if the field is not such a
    /// number.
    @inline(__always)
    func small(_ bytes: RawSpan) -> Int {
        guard length > 0 else { return -1 }
        let characters = UInt32(truncatingIfNeeded: bytes.word(at: start)) ^ 0x30_3030
        let x = (characters &<< UInt32(truncatingIfNeeded: (3 &- length) &* 8)) & 0xFF_FFFF
        guard length <= 3, ((x &+ 0x76_7676) | x) & 0x80_8080 == 0 else { return unusualInteger(bytes) ?? -1 }
        return Int(truncatingIfNeeded: (x & 0xFF) &* 100 &+ (x &>> 8 & 0xFF) &* 10 &+ x &>> 16)
    }

    /// Returns an unsigned whole number below 100,000,000, or `nil` if the field is not such a number.
    @inline(__always)
    func integer(_ bytes: RawSpan) -> Int? {
        guard length > 0 else { return nil }
        guard length <= 8, let number = EightDigits.integer(bytes.word(at: start), length: length) else {
            return unusualInteger(bytes)
        }
        return number
    }

    /// Returns a decimal number with or without sign, point and exponent, of any length.
    @inline(__always)
    func decimal(_ bytes: RawSpan) -> FixedPoint {
        length > 0 ? signed(bytes) : .none
    }

    private func signed(_ bytes: RawSpan) -> FixedPoint {
        let first = bytes.byte(at: start)
        if first == UInt8(ascii: "-") { return Field(start: start &+ 1, length: length &- 1).unsigned(bytes).negated }
        if first == UInt8(ascii: "+") { return Field(start: start &+ 1, length: length &- 1).unsigned(bytes) }
        return unsigned(bytes)
    }

    /// Returns a decimal number without a sign.
    @inline(__always)
    func unsigned(_ bytes: RawSpan) -> FixedPoint {
        guard length > 0 else { return .none }
        guard length <= 16, let head = EightDigits(bytes.word(at: start), length: min(length, 8)), head.digits > 0
        else { return unusual(bytes) }
        if length <= 8 {
            return FixedPoint(mantissa: Int64(truncatingIfNeeded: head.value), scale: max(head.decimals, 0))
        }
        guard let tail = EightDigits(bytes.word(at: start &+ 8), length: length &- 8),
            head.decimals < 0 || tail.decimals < 0
        else { return unusual(bytes) }
        let decimals = head.decimals >= 0 ? head.decimals &+ tail.digits : max(tail.decimals, 0)
        let power = FixedPoint.powerOfTen(tail.digits)
        return FixedPoint(
            mantissa: Int64(truncatingIfNeeded: head.value) &* power &+ Int64(truncatingIfNeeded: tail.value),
            scale: decimals)
    }
}

extension RawSpan {
    /// Returns eight bytes, the first one lowest. Traps if they are not all within the span.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
