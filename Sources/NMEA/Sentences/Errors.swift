// GST, GBS: the errors of the position.

extension NMEADecoder {
    /// Reads GST: time, RMS of the ranges, semi-major (3) and semi-minor axis of the error ellipse, its
    /// orientation, standard deviations of latitude (6), longitude and altitude, in metres.
    mutating func readGST(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        guard let time = s.time(1, bytes) else { return .nothing }
        let reading = joinDated(.gst, time, talker)
        guard case .part = reading else { return reading }
        errors.statistics = ErrorSentences.Statistics(
            time: time, major: s.decimal(3, bytes), minor: s.decimal(4, bytes), north: s.decimal(6, bytes),
            east: s.decimal(7, bytes), up: s.decimal(8, bytes), ranges: s.decimal(2, bytes),
            orientation: s.decimal(5, bytes))
        return reading
    }

    /// Reads GBS: time, expected errors in latitude (2), longitude and altitude, in metres.
    mutating func readGBS(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        guard let time = s.time(1, bytes) else { return .nothing }
        let reading = joinDated(.gbs, time, talker)
        guard case .part = reading else { return reading }
        errors.faults = ErrorSentences.Statistics(
            time: time, north: s.decimal(2, bytes), east: s.decimal(3, bytes), up: s.decimal(4, bytes))
        return reading
    }
}
