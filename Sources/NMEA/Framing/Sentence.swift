/// Where the fields of one sentence are in the bytes that it was found in.
///
/// Field 0 is the address (`GPGGA`), field 1 the first after it, as the receivers' manuals count. The commas are a
/// set of bits, which fits into registers: the field after the n-th comma is found by clearing n bits, and the
/// compiler shares that work between the fields of a sentence. No memory is written while a sentence is read.
///
/// The fields within the first `reach` characters are found; of the sentences that are read none is longer.
/// Sixteen bytes behind the sentence are readable, so that fields are read a word at a time.
struct Sentence {
    static let reach = 128

    /// Where the body starts in the bytes: behind the `$`.
    var base: Int
    /// Bit n is set when character n of the body is a comma, or ends the body.
    var ends: UInt128
    @inline(__always)
    init(base: Int, commas: UInt128, length: Int) {
        self.base = base
        ends = length < Self.reach ? commas | 1 &<< UInt128(truncatingIfNeeded: length) : commas
    }

    /// How many fields there are, the address included.
    @inline(__always)
    var count: Int { ends.nonzeroBitCount }

    /// The first eight bytes of the body: the address.
    @inline(__always)
    func address(_ bytes: RawSpan) -> UInt64 {
        bytes.word(at: base)
    }

    /// The field's place. Empty, and at the start of the body, when there is no such field.
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

    /// How many characters the field has; 0 also when there is no such field.
    @inline(__always)
    func length(_ index: Int) -> Int { field(index).length }

    @inline(__always)
    func start(_ index: Int) -> Int { field(index).start }

    /// The field's first character, 0 when it is empty.
    @inline(__always)
    func letter(_ index: Int, _ bytes: RawSpan) -> UInt8 { field(index).letter(bytes) }

    /// An unsigned whole number of up to eight digits.
    @inline(__always)
    func integer(_ index: Int, _ bytes: RawSpan) -> Int? { field(index).integer(bytes) }

    /// A decimal number with or without sign and point, of up to sixteen characters without the sign.
    @inline(__always)
    func decimal(_ index: Int, _ bytes: RawSpan) -> FixedPoint { field(index).decimal(bytes) }
}

/// Goes through the fields of a sentence in their order.
struct FieldCursor {
    /// The first byte that `near` tells of.
    private var origin: Int
    /// The ends of the fields within 64 bytes, and those within the next 64.
    private var near: UInt64
    private var far: UInt64
    /// Where the next field starts, relative to `origin`.
    private var start = 0

    /// Before the field with that number.
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

    /// The next field; an empty one behind the last.
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
