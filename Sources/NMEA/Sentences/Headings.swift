// HDT, HDG, HDM, THS, ROT: where the device points.

extension NMEADecoder {
    /// HDT: true heading, T.
    mutating func readHDT(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        heading(compass.heading(talker, true: s.decimal(1, bytes)))
    }

    /// HDM: magnetic heading, M.
    mutating func readHDM(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        heading(compass.heading(talker, magnetic: s.decimal(1, bytes)))
    }

    /// HDG: the compass's reading, deviation (2, 3: E or W), variation (4, 5).
    mutating func readHDG(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        let reading = s.decimal(1, bytes)
        let west = UInt8(ascii: "W")
        let deviation = s.letter(3, bytes) == west ? s.decimal(2, bytes).negated : s.decimal(2, bytes)
        let variation = s.letter(5, bytes) == west ? s.decimal(4, bytes).negated : s.decimal(4, bytes)
        return heading(
            compass.heading(
                talker, magnetic: deviation.isNone ? reading : reading.adding(deviation), variation: variation))
    }

    /// THS: true heading, mode (A, E, M, S, V: the last is "no valid data").
    mutating func readTHS(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        let mode = s.letter(2, bytes)
        guard mode != UInt8(ascii: "V") else { return .nothing }
        return heading(compass.heading(talker, true: s.decimal(1, bytes), simulated: mode == UInt8(ascii: "S")))
    }

    /// ROT: degrees a minute, A for valid.
    mutating func readROT(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        guard s.letter(2, bytes) == UInt8(ascii: "A") else { return .nothing }
        compass.turn(talker, s.decimal(1, bytes))
        return .nothing
    }

    /// Gives a heading, where the sentence had one.
    mutating func heading(_ heading: Heading?) -> Reading {
        if let heading { give(.heading(heading)) }
        return .nothing
    }
}
