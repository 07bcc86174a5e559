extension Sentence {
    /// What was found where a sentence starts.
    enum Scan {
        /// A sentence with a right checksum; where its line end is.
        case intact(Sentence, end: Int)
        /// A sentence with a wrong checksum; where its line end is.
        case broken(end: Int)
        /// Not the usual shape, or the bytes end too soon: for `LineBuffer`.
        case unusual
    }

    /// Finds the fields and the end of the sentence whose `$` is at `start`, and computes the checksum, all in one
    /// pass over eight bytes at a time.
    ///
    /// The usual shape is `$`, a body without blanks or plus signs, `*`, two digits and a line end, with sixteen more
    /// bytes behind.
    @inline(__always)
    static func scan(_ bytes: RawSpan, from start: Int) -> Scan {
        let high: UInt64 = 0x8080_8080_8080_8080
        let base = start &+ 1
        var word = base
        var sum: UInt64 = 0
        var commas = (low: 0 as UInt64, high: 0 as UInt64)
        let last = min(bytes.byteCount &- 24, start &+ NMEADecoder.maximumSentenceLength &- 8)
        while word <= last {
            let characters = bytes.word(at: word)
            // The high bit of each byte tells: a comma; anything below 0x2D, which is comma, star, line end, `$`, `!`.
            let c = characters ^ 0x2C2C_2C2C_2C2C_2C2C
            let comma = ~(((c & ~high) &+ ~high) | c | ~high)
            let special = ~((characters | high) &- 0x2D2D_2D2D_2D2D_2D2D) & ~characters & high
            // The eight high bits, side by side.
            let bits = ((comma &>> 7) &* 0x0102_0408_1020_4080) &>> 56
            let offset = word &- base
            if offset < 64 {
                commas.low |= bits &<< UInt64(truncatingIfNeeded: offset)
            } else if offset < 128 {
                commas.high |= bits &<< UInt64(truncatingIfNeeded: offset &- 64)
            }
            let stop = special & ~comma
            if stop == 0 {
                sum ^= characters
                word &+= 8
                continue
            }
            let bit = UInt64(truncatingIfNeeded: stop.trailingZeroBitCount & ~7)
            sum ^= characters & ((1 &<< bit) &- 1)
            let star = word &+ Int(truncatingIfNeeded: bit &>> 3)
            let tail = bytes.word(at: star)
            let end = UInt8(truncatingIfNeeded: tail &>> 24)
            guard UInt8(truncatingIfNeeded: tail) == UInt8(ascii: "*"),
                end == UInt8(ascii: "\r") || end == UInt8(ascii: "\n")
            else { return .unusual }
            sum ^= sum &>> 32
            sum ^= sum &>> 16
            sum ^= sum &>> 8
            guard hexadecimal(tail &>> 8) == UInt8(truncatingIfNeeded: sum) else { return .broken(end: star &+ 3) }
            let length = star &- base
            // Commas behind the star are none.
            let all = UInt128(commas.low) | UInt128(commas.high) &<< 64
            let within = length < reach ? all & ((1 &<< UInt128(truncatingIfNeeded: length)) &- 1) : all
            return .intact(Sentence(base: base, commas: within, length: length), end: star &+ 3)
        }
        return .unusual
    }

    /// The same for any line, byte by byte: `bytes` begins with `$` or `!` and has `length` bytes, without the line
    /// end. The last star counts.
    static func parse(_ bytes: RawSpan, length: Int) -> Parse {
        var star = length - 1
        while star > 0, bytes.byte(at: star) != UInt8(ascii: "*") { star -= 1 }
        guard star > 0 else { return .withoutChecksum }
        var sum: UInt8 = 0
        var commas: UInt128 = 0
        for index in 1..<star {
            let byte = bytes.byte(at: index)
            sum ^= byte
            if byte == UInt8(ascii: ","), index <= reach { commas |= 1 &<< UInt128(truncatingIfNeeded: index - 1) }
        }
        guard length - star > 2, hexadecimal(bytes.word(at: star + 1)) == sum else { return .broken }
        return .intact(Sentence(base: 1, commas: commas, length: star - 1))
    }

    enum Parse {
        case intact(Sentence)
        case broken
        case withoutChecksum
    }

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
