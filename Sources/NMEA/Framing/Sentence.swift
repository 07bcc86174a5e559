/// Where the fields of one sentence are in the bytes that it was found in.
///
/// Field 0 is the address (`GPGGA`), field 1 the first after it, as the receivers' manuals count. Sixteen bytes
/// behind the sentence are readable, so that fields are read a word at a time without looking for their end.
struct Sentence {
    /// More fields than this are not looked at; the longest sentence that is read has 25.
    static let maximumFields = 48

    /// Where the body starts in the bytes: behind the `$`.
    var base = 0
    /// How many fields there are, the address included.
    var count = 0
    /// Start of each field relative to `base`; one more entry tells where a further field would start.
    var starts = InlineArray<49, UInt16>(repeating: 0)

    /// The first eight bytes of the body: the address.
    @inline(__always)
    func address(_ bytes: RawSpan) -> UInt64 {
        bytes.word(at: base)
    }

    @inline(__always)
    func start(_ field: Int) -> Int {
        base &+ Int(starts[field])
    }

    /// How many characters the field has; 0 also when there is no such field.
    @inline(__always)
    func length(_ field: Int) -> Int {
        field < count ? Int(starts[field &+ 1]) &- Int(starts[field]) &- 1 : 0
    }

    /// The field's first character, 0 when it is empty.
    @inline(__always)
    func letter(_ field: Int, _ bytes: RawSpan) -> UInt8 {
        length(field) > 0 ? bytes.byte(at: start(field)) : 0
    }

    /// An unsigned whole number of up to eight digits.
    @inline(__always)
    func integer(_ field: Int, _ bytes: RawSpan) -> Int? {
        let length = length(field)
        guard length > 0, length <= 8, let number = EightDigits(bytes.word(at: start(field)), length: length),
            number.decimals < 0
        else { return nil }
        return Int(truncatingIfNeeded: number.value)
    }

    /// A decimal number with or without sign and point, of up to sixteen characters without the sign.
    @inline(__always)
    func decimal(_ field: Int, _ bytes: RawSpan) -> FixedPoint {
        var length = length(field)
        guard length > 0 else { return .none }
        var start = start(field)
        let first = bytes.byte(at: start)
        let negative = first == UInt8(ascii: "-")
        if negative || first == UInt8(ascii: "+") {
            start &+= 1
            length &-= 1
        }
        var number = Self.unsigned(at: start, length: length, bytes)
        if negative { number.mantissa = 0 &- number.mantissa }
        return number
    }

    @inline(__always)
    static func unsigned(at start: Int, length: Int, _ bytes: RawSpan) -> FixedPoint {
        guard length > 0, length <= 16,
            let head = EightDigits(bytes.word(at: start), length: min(length, 8)), head.digits > 0
        else { return .none }
        if length <= 8 {
            return FixedPoint(
                mantissa: Int64(truncatingIfNeeded: head.value), scale: Int8(truncatingIfNeeded: max(head.decimals, 0)))
        }
        guard let tail = EightDigits(bytes.word(at: start &+ 8), length: length &- 8),
            head.decimals < 0 || tail.decimals < 0
        else { return .none }
        let decimals = head.decimals >= 0 ? head.decimals &+ tail.digits : max(tail.decimals, 0)
        let power = FixedPoint.powersOfTen(Int8(truncatingIfNeeded: tail.digits))
        return FixedPoint(
            mantissa: Int64(truncatingIfNeeded: head.value) &* power &+ Int64(truncatingIfNeeded: tail.value),
            scale: Int8(truncatingIfNeeded: decimals))
    }
}

extension RawSpan {
    /// Eight bytes, the first one lowest. Traps when they are not all within the span.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
