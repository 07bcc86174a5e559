// DTM, TXT: the datum, and text.

extension NMEADecoder {
    /// Reads DTM, the datum of the following positions: its code (1), the offsets of a position on it from the same
    /// position on the reference datum, in minutes of latitude (3, 4) and longitude (5, 6), and the code of the
    /// reference datum (8).
    mutating func readDTM(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        guard device.admit(DeviceSelection.device(of: talker), position: nil) == .follow, s.length(1) == 3 else {
            return .nothing
        }
        guard let datum = Datum(code: s.code(1, bytes)) else {
            self.datum = SentDatum()
            return .nothing
        }
        guard s.length(8) == 0 || (s.length(8) == 3 && Datum(code: s.code(8, bytes)) == nil) else {
            self.datum = SentDatum(datum)
            return .nothing
        }
        let (latitude, longitude) = (s.decimal(3, bytes), s.decimal(5, bytes))
        self.datum = SentDatum(
            datum, north: s.letter(4, bytes) == UInt8(ascii: "S") ? latitude.negated : latitude,
            east: s.letter(6, bytes) == UInt8(ascii: "W") ? longitude.negated : longitude)
        return .nothing
    }

    /// Reads TXT: human-readable text, which is ignored.
    mutating func readTXT(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        .nothing
    }
}

extension Sentence {
    /// Returns the ASCII codes of three letters, the first one lowest.
    fileprivate func code(_ index: Int, _ bytes: RawSpan) -> UInt32 {
        UInt32(truncatingIfNeeded: bytes.word(at: start(index))) & 0xFF_FFFF
    }
}
