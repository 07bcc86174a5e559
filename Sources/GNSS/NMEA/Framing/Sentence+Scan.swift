extension Sentence {
    /// The result of scanning a sentence.
    enum Scan {
        /// A sentence with a correct checksum, and the place of its line end.
        case intact(Sentence, end: Int)
        /// A sentence with a wrong checksum, and the place of its line end.
        case broken(end: Int)
        /// A sentence with an unusual shape, or one that is cut off by the end of the bytes. `LineBuffer` handles it.
        case unusual
    }

    /// Finds the fields and the end of the sentence whose `$` is at `start`, and computes its checksum, in a single
    /// pass over eight bytes at a time.
    ///
    /// The usual shape is `$`, a body without blanks or plus signs, `*`, two digits and a line end, followed by at
    /// least sixteen more bytes.
    ///
    /// - Parameter limit: The end of the input. The bytes after it are readable, but do not belong to a sentence.
    @inline(never)
    static func scan(_ bytes: RawSpan, from start: Int, to limit: Int) -> Scan {
        var scan = Block(word: start &+ 1, last: min(bytes.byteCount &- 24, start &+ maximumScan))
        scan.read(bytes, to: start &+ 1 &+ 64)
        var commas = UInt128(scan.commas)
        if !scan.isAtStop {
            scan.commas = 0
            scan.read(bytes, to: start &+ 1 &+ 128)
            commas |= UInt128(scan.commas) &<< 64
            if !scan.isAtStop { scan.read(bytes, to: .max) }
        }
        let star = scan.word
        guard scan.isAtStop, star &+ 3 < limit else { return .unusual }
        let tail = bytes.word(at: star)
        let end = UInt8(truncatingIfNeeded: tail &>> 24)
        guard UInt8(truncatingIfNeeded: tail) == UInt8(ascii: "*"),
            end == UInt8(ascii: "\r") || end == UInt8(ascii: "\n"), let stated = hexadecimal(tail &>> 8)
        else { return .unusual }
        guard stated == scan.checksum else { return .broken(end: star &+ 3) }
        return .intact(Sentence(base: start &+ 1, commas: commas, length: star &- start &- 1), end: star &+ 3)
    }

    private static let maximumScan = NMEADecoder.maximumSentenceLength - 8

    /// The state of a scan through up to 64 bytes.
    private struct Block {
        /// The offset of the next word, or of the stop once it has been reached.
        var word: Int
        /// The last offset for reading a word.
        let last: Int
        /// Bit n is set if byte n of the block is a comma.
        var commas: UInt64 = 0
        var isAtStop = false
        private var sum: UInt64 = 0

        init(word: Int, last: Int) {
            self.word = word
            self.last = last
        }

        /// The exclusive or of all bytes up to the stop.
        var checksum: UInt8 {
            let half = sum ^ sum &>> 32
            let quarter = half ^ half &>> 16
            return UInt8(truncatingIfNeeded: quarter ^ quarter &>> 8)
        }

        @inline(__always)
        mutating func read(_ bytes: RawSpan, to limit: Int) {
            let high: UInt64 = 0x8080_8080_8080_8080
            var shift: UInt64 = 0
            while word <= last, word < limit {
                let characters = bytes.word(at: word)
                // The high bit of each byte shows whether the byte is below 0x2D: a comma (0x2C), star, line end,
                // `$`, `!`, blank or plus sign.
                let below = ~(((characters | high) &- 0x2D2D_2D2D_2D2D_2D2D) | characters) & high
                let atLeastComma = (characters | high) &- 0x2C2C_2C2C_2C2C_2C2C
                let comma = below & atLeastComma
                let stop = below & ~atLeastComma
                if stop == 0 {
                    // The eight high bits, side by side.
                    commas |= (((comma &>> 7) &* 0x0102_0408_1020_4080) &>> 56) &<< shift
                    sum ^= characters
                    word &+= 8
                    shift &+= 8
                    continue
                }
                let bit = UInt64(truncatingIfNeeded: stop.trailingZeroBitCount & ~7)
                let before: UInt64 = (1 &<< bit) &- 1
                commas |= ((((comma & before) &>> 7) &* 0x0102_0408_1020_4080) &>> 56) &<< shift
                sum ^= characters & before
                word &+= Int(truncatingIfNeeded: bit &>> 3)
                isAtStop = true
                return
            }
        }
    }

    /// Parses any sentence byte by byte. `bytes` begins with `$` or `!` and has `length` bytes, without the line
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
        return .intact(Sentence(base: 1, commas: commas, length: star - 1), star: star)
    }

    /// Removes the blanks around the fields of a sentence in a line, and returns the remaining sentence.
    ///
    /// Old receivers and loggers pad fields to a fixed width. A sentence with a blank is always handled here.
    static func withoutBlanks(_ line: inout InlineArray<288, UInt8>, to star: Int) -> Sentence {
        var commas: UInt128 = 0
        var (end, field) = (1, 1)
        for index in 1..<star {
            let byte = line[index]
            if byte == UInt8(ascii: ",") {
                while end > field, isBlank(line[end - 1]) { end -= 1 }
                if end <= reach { commas |= 1 &<< UInt128(truncatingIfNeeded: end - 1) }
                field = end + 1
            } else if end == field, isBlank(byte) {
                continue
            }
            line[end] = byte
            end += 1
        }
        while end > field, isBlank(line[end - 1]) { end -= 1 }
        return Sentence(base: 1, commas: commas, length: end - 1)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    enum Parse {
        case intact(Sentence, star: Int)
        case broken
        case withoutChecksum
    }

    /// Returns the value of the two hexadecimal digits, of either case, in the lowest bytes of `characters`.
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
