extension Sentence {
    /// Finds the fields of the sentence whose `$` is at `start`, and its end, and computes the checksum, all in one
    /// pass over eight bytes at a time.
    ///
    /// Reads the shape that nearly all sentences have: `$`, a body without blanks or plus signs, `*`, two digits and
    /// a line end, with sixteen more bytes behind. Anything else, right or wrong, returns `nil` and is for
    /// `parse(_:count:)`.
    ///
    /// - Returns: Where the line end is, and whether the checksum is right.
    @inline(__always)
    mutating func scan(_ bytes: RawSpan, from start: Int) -> (end: Int, intact: Bool)? {
        let high: UInt64 = 0x8080_8080_8080_8080
        base = start &+ 1
        var word = base
        var sum: UInt64 = 0
        var fields = 1
        let last = bytes.byteCount &- 24
        while word <= last {
            let characters = bytes.word(at: word)
            // The high bit of each byte tells: a comma; anything below 0x2D, which is comma, star, line end, `$`, `!`.
            let c = characters ^ 0x2C2C_2C2C_2C2C_2C2C
            var commas = ~(((c & ~high) &+ ~high) | c | ~high)
            let special = ~((characters | high) &- 0x2D2D_2D2D_2D2D_2D2D) & ~characters & high
            let stop = special & ~commas
            if stop == 0 {
                sum ^= characters
                fields = addFields(commas, word, fields)
                word &+= 8
                continue
            }
            let bit = UInt64(truncatingIfNeeded: stop.trailingZeroBitCount & ~7)
            let before: UInt64 = (1 &<< bit) &- 1
            sum ^= characters & before
            commas &= before
            fields = addFields(commas, word, fields)
            let star = word &+ Int(truncatingIfNeeded: bit &>> 3)
            let tail = bytes.word(at: star)
            let end = UInt8(truncatingIfNeeded: tail &>> 24)
            guard UInt8(truncatingIfNeeded: tail) == UInt8(ascii: "*"),
                end == UInt8(ascii: "\r") || end == UInt8(ascii: "\n"),
                star &- start < NMEADecoder.maximumSentenceLength &- 2, fields < Self.maximumFields
            else { return nil }
            starts[fields] = UInt16(truncatingIfNeeded: star &- base &+ 1)
            count = fields
            sum ^= sum &>> 32
            sum ^= sum &>> 16
            sum ^= sum &>> 8
            return (star &+ 3, Self.hexadecimal(tail &>> 8) == UInt8(truncatingIfNeeded: sum))
        }
        return nil
    }

    /// Notes a field behind each comma.
    @inline(__always)
    private mutating func addFields(_ commas: UInt64, _ word: Int, _ fields: Int) -> Int {
        var commas = commas
        var fields = fields
        let origin = word &- base &+ 1
        while commas != 0 {
            if fields < Self.maximumFields {
                starts[fields] = UInt16(truncatingIfNeeded: origin &+ commas.trailingZeroBitCount &>> 3)
            }
            fields &+= 1
            commas &= commas &- 1
        }
        return fields
    }

    /// The same for any line, byte by byte: `bytes` begins with `$` or `!` and has `length` bytes, without the line
    /// end. The last star counts.
    mutating func parse(_ bytes: RawSpan, length: Int) -> Integrity {
        var star = length - 1
        while star > 0, bytes.byte(at: star) != UInt8(ascii: "*") { star -= 1 }
        guard star > 0 else { return .withoutChecksum }
        base = 1
        count = 1
        var sum: UInt8 = 0
        for index in 1..<star {
            let byte = bytes.byte(at: index)
            sum ^= byte
            if byte == UInt8(ascii: ","), count < Self.maximumFields {
                starts[count] = UInt16(truncatingIfNeeded: index)
                count += 1
            }
        }
        starts[count] = UInt16(truncatingIfNeeded: star)
        guard length - star > 2, let told = Self.hexadecimal(bytes.word(at: star + 1)) else { return .broken }
        return told == sum ? .intact : .broken
    }

    enum Integrity { case intact, broken, withoutChecksum }

    /// The value of the two hexadecimal digits, of either case, in the lowest bytes of `characters`.
    @inline(__always)
    private static func hexadecimal(_ characters: UInt64) -> UInt8? {
        func digit(_ character: UInt8) -> UInt8 {
            let decimal = character &- UInt8(ascii: "0")
            if decimal < 10 { return decimal }
            let letter = (character | 0x20) &- UInt8(ascii: "a")
            return letter < 6 ? letter &+ 10 : 0xFF
        }
        let upper = digit(UInt8(truncatingIfNeeded: characters))
        let lower = digit(UInt8(truncatingIfNeeded: characters &>> 8))
        return upper | lower < 16 ? upper &<< 4 | lower : nil
    }
}
