// HDT, HDG, HDM, THS, ROT: the direction the device points in.

extension NMEADecoder {
    /// Reads HDT: true heading, T.
    mutating func readHDT(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        result(compass.read(talker, true: s.decimal(1, bytes)))
    }

    /// Reads HDM: magnetic heading, M.
    mutating func readHDM(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        result(compass.read(talker, magnetic: s.decimal(1, bytes)))
    }

    /// Reads HDG: the compass's reading, deviation (2, 3: E or W), variation (4, 5).
    mutating func readHDG(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        let reading = s.decimal(1, bytes)
        let west = UInt8(ascii: "W")
        let deviation = s.letter(3, bytes) == west ? s.decimal(2, bytes).negated : s.decimal(2, bytes)
        let variation = s.letter(5, bytes) == west ? s.decimal(4, bytes).negated : s.decimal(4, bytes)
        return result(
            compass.read(
                talker, magnetic: deviation.isNone ? reading : reading.adding(deviation), variation: variation))
    }

    /// Reads THS: true heading, mode (A autonomous, E estimated, M manual input, S simulator, V no valid data).
    ///
    /// A heading that was entered by hand was not measured, just like a simulated one.
    mutating func readTHS(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        let mode = s.letter(2, bytes)
        guard mode != UInt8(ascii: "V") else { return .nothing }
        let isMeasured = mode != UInt8(ascii: "S") && mode != UInt8(ascii: "M")
        return result(compass.read(talker, true: s.decimal(1, bytes), simulated: !isMeasured))
    }

    /// Reads ROT: degrees per minute, A for valid.
    mutating func readROT(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        compass.turn(talker, s.letter(2, bytes) == UInt8(ascii: "A") ? s.decimal(1, bytes) : .none)
        return .nothing
    }

    func result(_ hasHeading: Bool) -> Reading {
        hasHeading ? .heading : .nothing
    }
}
