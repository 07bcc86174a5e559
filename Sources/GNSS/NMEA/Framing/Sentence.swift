/// The places of the fields of one sentence in the bytes that contain it.
///
/// Field 0 is the address (`GPGGA`) and field 1 the first one after it, as in the receivers' manuals. The commas
/// are a set of bits, which fits into registers: the field after the n-th comma is found by clearing n bits, and
/// the compiler shares that work between the fields of a sentence. No memory is written while a sentence is read.
///
/// Only fields within the first `reach` characters are found; no supported sentence is longer. Sixteen bytes after
/// the sentence are readable, so that fields can be read a word at a time.
struct Sentence {
    static let reach = 128

    /// The offset of the body in the bytes: after the `$`.
    var base: Int
    /// Bit n is set if character n of the body is a comma or ends the body.
    var ends: UInt128
    @inline(__always)
    init(base: Int, commas: UInt128, length: Int) {
        self.base = base
        ends = length < Self.reach ? commas | 1 &<< UInt128(truncatingIfNeeded: length) : commas
    }

    /// The number of fields, including the address.
    @inline(__always)
    var count: Int { ends.nonzeroBitCount }

    /// Returns the first eight bytes of the body, which hold the address.
    @inline(__always)
    func address(_ bytes: RawSpan) -> UInt64 {
        bytes.word(at: base)
    }

    /// Returns a field. If there is no such field, it is empty and at the start of the body.
    @inline(__always)
    func field(_ index: Int) -> Field {
        var ends = ends
        var start = 0
        if index > 0 {
            for _ in 1..<index { ends &= ends &- 1 }
            start = ends.trailingZeroBitCount &+ 1
            ends &= ends &- 1
        }
        guard ends != 0 else { return Field(start: base, length: 0) }
        return Field(start: base &+ start, length: ends.trailingZeroBitCount &- start)
    }

    /// Returns the number of characters in the field, or 0 if there is no such field.
    @inline(__always)
    func length(_ index: Int) -> Int { field(index).length }

    @inline(__always)
    func start(_ index: Int) -> Int { field(index).start }

    /// Returns the first character of the field, or 0 if the field is empty.
    @inline(__always)
    func letter(_ index: Int, _ bytes: RawSpan) -> UInt8 { field(index).letter(bytes) }

    /// Returns an unsigned whole number below 100,000,000, or `nil` if the field is not such a number.
    @inline(__always)
    func integer(_ index: Int, _ bytes: RawSpan) -> Int? { field(index).integer(bytes) }

    /// Returns a decimal number with or without sign, point and exponent, of any length.
    @inline(__always)
    func decimal(_ index: Int, _ bytes: RawSpan) -> FixedPoint { field(index).decimal(bytes) }
}

/// A cursor that visits the fields of a sentence in order.
struct FieldCursor {
    /// The offset of the first byte that `near` covers.
    private var origin: Int
    /// The ends of the fields within the first 64 bytes, and of the fields within the next 64.
    private var near: UInt64
    private var far: UInt64
    /// The start of the next field, relative to `origin`.
    private var start = 0

    /// Creates a cursor before the field with this number.
    @inline(__always)
    init(_ sentence: Sentence, at index: Int) {
        var ends = sentence.ends
        var skipped = 0
        if index > 0 {
            for _ in 1..<index { ends &= ends &- 1 }
            skipped = ends.trailingZeroBitCount &+ 1
        }
        let ahead = skipped < Sentence.reach ? ends &>> UInt128(truncatingIfNeeded: skipped) : 0
        origin = sentence.base &+ skipped
        near = UInt64(truncatingIfNeeded: ahead)
        far = UInt64(truncatingIfNeeded: ahead &>> 64)
    }

    /// Returns the next field, or an empty field after the last one.
    @inline(__always)
    mutating func next() -> Field {
        if near == 0 {
            guard far != 0 else { return Field(start: origin, length: 0) }
            near = far
            far = 0
            origin &+= 64
            start &-= 64
        }
        let end = near.trailingZeroBitCount
        let field = Field(start: origin &+ start, length: end &- start)
        start = end &+ 1
        near &= near &- 1
        return field
    }
}

/// Returns the NMEA 0183 checksum of a sentence's body, the part between `$` and `*`: the exclusive or of all bytes.
/// Two hexadecimal digits after the `*` state it.
public func checksum(of body: Span<UInt8>) -> UInt8 {
    var sum: UInt8 = 0
    for index in body.indices { sum ^= body[index] }
    return sum
}

extension UInt8 {
    /// The number in two hexadecimal digits, as in a checksum.
    package var twoDigits: String {
        let digits = String(self, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }
}
