// PASHR: Ashtech and Trimble reference manuals. Hemisphere and others also send the attitude form.

extension NMEADecoder {
    mutating func readPASHR(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        // "POS", in memory order.
        if s.length(1) == 3, bytes.word(at: s.start(1)) & 0xFF_FFFF == 0x53_4F_50 {
            return readPASHRPosition(s, bytes)
        }
        return readPASHRAttitude(s, bytes)
    }

    /// Reads PASHR,POS: kind of fix (2: 0 autonomous, 1 differential, 2 RTK float, 3 RTK fixed), satellites, time
    /// (4), position (5...8), ellipsoidal altitude (9), course (11), speed in knots (12), PDOP (14), HDOP, VDOP.
    private mutating func readPASHRPosition(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        let quality: FixQuality?
        switch s.length(2) == 1 ? s.letter(2, bytes) : 0 {
        case UInt8(ascii: "0"): quality = .autonomous
        case UInt8(ascii: "1"): quality = .differential
        case UInt8(ascii: "2"): quality = .rtkFloat
        case UInt8(ascii: "3"): quality = .rtkFixed
        default: quality = nil
        }
        let position = quality != nil ? latestPosition.read(s, 5, bytes) : .absent
        let hasPosition = s.length(5) > 0
        let join = joinPosition(
            .ashtechPosition, rank: .proprietary, time: s.time(4, bytes), s.length(4), position,
            isValid: quality != nil && hasPosition, quality, of: followedTalker)
        guard join == .joined else { return Reading(join) }
        guard quality != nil else { return .part(.ashtechPosition) }
        if draft.sent.ellipsoidalAltitude.isNone { draft.sent.ellipsoidalAltitude = s.decimal(9, bytes) }
        if draft.sent.course.isNone { draft.sent.course = s.decimal(11, bytes) }
        if draft.sent.knots.isNone { draft.sent.knots = s.decimal(12, bytes) }
        if draft.sent.pdop.isNone { draft.sent.pdop = s.decimal(14, bytes) }
        if draft.sent.hdop.isNone { draft.sent.hdop = s.decimal(15, bytes) }
        if draft.sent.vdop.isNone { draft.sent.vdop = s.decimal(16, bytes) }
        if draft.satellitesUsed < 0, let used = s.integer(3, bytes) {
            draft.satellitesUsed = Int32(truncatingIfNeeded: used)
        }
        return .part(.ashtechPosition)
    }

    /// Reads PASHR: time, true heading (2, T), roll, pitch, heave, standard deviations of roll, pitch and heading (9).
    private mutating func readPASHRAttitude(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        guard s.time(1, bytes) != nil, s.letter(3, bytes) == UInt8(ascii: "T") else { return .unknown }
        return result(compass.read(followedTalker, true: s.decimal(2, bytes), accuracy: s.decimal(9, bytes)))
    }
}
