// DTM, TXT: the datum, and text.

extension NMEADecoder {
    /// Reads DTM: the datum of the positions that follow.
    mutating func readDTM(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        guard device.admit(DeviceSelection.device(of: talker), position: nil) == .follow, s.length(1) == 3 else {
            return .nothing
        }
        let code = bytes.word(at: s.start(1)) & 0xFF_FFFF
        // "W84", in memory order.
        otherDatum = code != 0x34_38_57
        return .nothing
    }

    /// Reads TXT: human-readable text, which is ignored.
    mutating func readTXT(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        .nothing
    }
}
