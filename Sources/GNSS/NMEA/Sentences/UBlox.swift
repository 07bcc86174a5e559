// PUBX: u-blox M8 Receiver Description, "UBX proprietary NMEA messages".

extension NMEADecoder {
    mutating func readPUBX(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        guard let message = s.integer(1, bytes) else { return .unknown }
        switch message {
        case 0: return readPUBXPosition(s, bytes)
        case 4: return readPUBXTime(s, bytes)
        default: return .unknown
        }
    }

    /// Reads PUBX,00: time (2), position (3...6), ellipsoidal altitude (7), status (8), hAcc and vAcc (9, 10),
    /// speed in km/h (11), course (12), HDOP (15), VDOP (16), satellites (18).
    private mutating func readPUBXPosition(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        let quality = ubloxQuality(s, bytes)
        let position = quality != nil ? latestPosition.read(s, 3, bytes) : .absent
        let join = joinPosition(
            .ubloxPosition, rank: .proprietary, time: s.time(2, bytes), s.length(2), position, isValid: quality != nil,
            quality,
            of: followedTalker)
        guard join == .joined else { return Reading(join) }
        guard quality != nil else { return .part(.ubloxPosition) }
        if draft.sent.ellipsoidalAltitude.isNone { draft.sent.ellipsoidalAltitude = s.decimal(7, bytes) }
        draft.horizontalError = s.decimal(9, bytes)
        draft.verticalError = s.decimal(10, bytes)
        draft.errorsAreMedians = false
        draft.sent.kilometresPerHour = s.decimal(11, bytes)
        if draft.sent.course.isNone { draft.sent.course = s.decimal(12, bytes) }
        if draft.sent.hdop.isNone { draft.sent.hdop = s.decimal(15, bytes) }
        if draft.sent.vdop.isNone { draft.sent.vdop = s.decimal(16, bytes) }
        if draft.satellitesUsed < 0, let used = s.integer(18, bytes) {
            draft.satellitesUsed = Int32(truncatingIfNeeded: used)
        }
        // G2, D2 and G3, D3: the second letter is the number of dimensions.
        let dimension = s.length(8) == 2 ? bytes.byte(at: s.start(8) &+ 1) &- UInt8(ascii: "0") : 0
        if draft.dimension == 0, dimension == 2 || dimension == 3 { draft.dimension = dimension }
        return .part(.ubloxPosition)
    }

    /// Reads PUBX,04: time (2), date (3).
    private mutating func readPUBXTime(_ s: Sentence, _ bytes: RawSpan) -> Reading {
        guard let time = s.time(2, bytes), s.length(3) >= 5, let ddmmyy = s.integer(3, bytes),
            let date = Calendar.days(ddmmyy: ddmmyy)
        else { return .nothing }
        let reading = joinDated(.zda, time, followedTalker)
        errors.date = date
        errors.dateTime = time
        return reading
    }

    /// Returns the quality of a status: NF no fix, DR dead reckoning, G2 and G3 autonomous, D2 and D3 differential,
    /// RK both combined, TT time only.
    private func ubloxQuality(_ s: Sentence, _ bytes: RawSpan) -> FixQuality? {
        guard s.length(8) == 2 else { return nil }
        switch (s.letter(8, bytes), bytes.byte(at: s.start(8) &+ 1)) {
        case (UInt8(ascii: "G"), _): return .autonomous
        case (UInt8(ascii: "D"), UInt8(ascii: "R")): return .estimated
        case (UInt8(ascii: "D"), _): return .differential
        case (UInt8(ascii: "R"), UInt8(ascii: "K")): return .autonomous
        default: return nil
        }
    }

    /// The talker for proprietary sentences, which do not name one: the talker of the followed device, or of a GNSS
    /// receiver if no device is followed.
    var followedTalker: Talker {
        device.talker
    }
}
