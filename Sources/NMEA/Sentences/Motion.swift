// VTG, ZDA: motion and date.

extension NMEADecoder {
    /// Reads VTG: true course (1, T), magnetic course (3, M), knots (5, N), km/h (7, K), mode (9). Before NMEA 2.3,
    /// without the unit letters: true course, magnetic course, knots and km/h in 1...4.
    @inline(__always)
    mutating func readVTG(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        guard joinUntimed(.vtg, talker) else { return .nothing }
        guard s.letter(9, bytes) != UInt8(ascii: "N") else { return .part(.vtg) }
        if !draft.sent.knots.isNone, !draft.sent.course.isNone { return .part(.vtg) }
        let hasUnits = s.count > 5
        draft.sent.trackCourse = s.decimal(1, bytes)
        draft.sent.trackKnots = s.decimal(hasUnits ? 5 : 3, bytes)
        draft.sent.trackKilometresPerHour = s.decimal(hasUnits ? 7 : 4, bytes)
        return .part(.vtg)
    }

    /// Reads ZDA: time, day, month, year.
    @inline(__always)
    mutating func readZDA(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        guard let time = s.time(1, bytes), let day = s.integer(2, bytes), let month = s.integer(3, bytes),
            let year = s.integer(4, bytes), let date = Calendar.days(year: year, month: month, day: day)
        else { return .nothing }
        let reading = joinDated(.zda, time, talker)
        errors.date = date
        errors.dateTime = time
        return reading
    }
}
