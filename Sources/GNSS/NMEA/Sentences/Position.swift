// RMC, GGA, GLL, GNS: position with time. NMEA 0183 v4.11; u-blox M8 and M10 interface descriptions for the flags.

extension NMEADecoder {
    /// Reads RMC: time, status, position (3...6), speed in knots, course, date, magnetic variation (10, 11), mode
    /// (12). Field 13 (v4.1) is the navigational status. It is ignored, because u-blox sends `V` with every good fix.
    @inline(__always)
    mutating func readRMC(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        let mode = s.letter(12, bytes)
        let status = s.letter(2, bytes)
        let isActive = Self.isActive(status, mode)
        let position = isActive ? latestPosition.read(s, 3, bytes) : .absent
        let time = s.time(1, bytes)
        let join = joinPosition(
            .rmc, rank: .rmc, time: time, s.timeLength(1, bytes), position, isValid: isActive,
            Self.quality(mode: mode, status: status),
            of: talker)
        guard join == .joined else { return Reading(join) }
        if time != nil, s.length(9) >= 5, let ddmmyy = s.integer(9, bytes), let date = Calendar.days(ddmmyy: ddmmyy) {
            draft.date(date, at: draft.time, void: !isActive)
            if isActive, draft.time >= 0 { otherClock.noteDate(at: draft.time) }
        }
        if isActive {
            if s.length(7) > 0 { device.sendsMotion = true }
            draft.sent.knots = s.decimal(7, bytes)
            draft.sent.course = s.decimal(8, bytes)
            let variation = s.decimal(10, bytes)
            draft.sent.magneticVariation = s.letter(11, bytes) == UInt8(ascii: "W") ? variation.negated : variation
        }
        return .part(.rmc)
    }

    /// Reads GGA: time, position (2...5), quality, satellites, HDOP, altitude (9), geoid separation (11), age of the
    /// corrections (13).
    @inline(__always)
    mutating func readGGA(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        let quality = Self.quality(number: s.field(6).small(bytes))
        if let quality, let time = s.time(1, bytes), isOlderHeight(time, talker) {
            keepOlderHeight(s, bytes, quality, time, altitude: 9, separation: 11, age: 13)
            return .nothing
        }
        let position = quality != nil ? latestPosition.read(s, 2, bytes) : .absent
        let join = joinPosition(
            .gga, rank: .gga, time: s.time(1, bytes), s.timeLength(1, bytes), position, isValid: quality != nil,
            quality,
            of: talker)
        guard join == .joined else { return Reading(join) }
        guard quality != nil else { return .part(.gga) }
        readHeight(s, bytes, satellites: 7, hdop: 8, altitude: 9, separation: 11, age: 13)
        return .part(.gga)
    }

    /// Reads GNS: time, position (2...5), one mode letter per system, satellites, HDOP, altitude (9), geoid
    /// separation (10), age of the corrections (11).
    @inline(__always)
    mutating func readGNS(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        let quality = gnsQuality(s, bytes)
        if let quality, let time = s.time(1, bytes), isOlderHeight(time, talker) {
            keepOlderHeight(s, bytes, quality, time, altitude: 9, separation: 10, age: 11)
            return .nothing
        }
        let position = quality != nil ? latestPosition.read(s, 2, bytes) : .absent
        let join = joinPosition(
            .gns, rank: .gns, time: s.time(1, bytes), s.timeLength(1, bytes), position, isValid: quality != nil,
            quality,
            of: talker)
        guard join == .joined else { return Reading(join) }
        guard quality != nil else { return .part(.gns) }
        readHeight(s, bytes, satellites: 7, hdop: 8, altitude: 9, separation: 10, age: 11)
        return .part(.gns)
    }

    /// Reads GLL: position (1...4), time, status, mode.
    @inline(__always)
    mutating func readGLL(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        let mode = s.letter(7, bytes)
        let status = s.letter(6, bytes)
        let isActive = Self.isActive(status, mode)
        let time = s.time(5, bytes)
        if isActive, let time, joinSurplus(.gll, rank: .gll, time: time, of: talker) { return .part(.gll) }
        let position = isActive ? latestPosition.read(s, 1, bytes) : .absent
        let join = joinPosition(
            .gll, rank: .gll, time: time, s.timeLength(5, bytes), position, isValid: isActive,
            Self.quality(mode: mode, status: status),
            of: talker)
        return join == .joined ? .part(.gll) : Reading(join)
    }

    /// Joins a sentence with a position to its epoch. Plotters and simulators send positions without a time, so that
    /// the length of the time's field is 0. A time that cannot be read makes a sentence useless.
    ///
    /// - Parameter timeLength: The length of the time's field (``Sentence/timeLength(_:_:)``).
    @inline(__always)
    mutating func joinPosition(
        _ part: EpochPart, rank: Draft.Rank, time: Int32?, _ timeLength: @autoclosure () -> Int, _ position: Position,
        isValid: Bool,
        _ quality: FixQuality?, of talker: Talker
    ) -> Join {
        guard case .valid(let latitude, let longitude) = position, time != nil || timeLength() == 0 else {
            let join = joinTimed(part, time, valid: false, talker)
            guard join == .joined else { return join }
            guard isValid else {
                counts.sentencesWithoutFix &+= 1
                draft.isVoid = true
                return join
            }
            if case .outOfRange = position {
                counts.outOfRange &+= 1
            } else {
                counts.malformed &+= 1
            }
            return .dropped
        }
        if isAnotherPosition(part, time, latitude, longitude, talker) { return .beginsNextEpoch }
        let stands = time.map { standsStill(part, $0, latitude, longitude) } ?? false
        let join = joinTimed(part, stands ? nil : time, valid: true, talker)
        guard join == .joined else { return join }
        if stands { draft.isOfStandingClock = true }
        guard place(latitude, longitude, rank: rank, from: part, of: talker) else { return .dropped }
        if let quality { draft.qualify(quality, quality == .unknown ? .gll : rank) }
        return .joined
    }

    /// Returns whether a sentence of the followed device with a height is slightly older than the present epoch, or the
    /// last one.
    @inline(__always)
    private mutating func isOlderHeight(_ time: Int32, _ talker: Talker) -> Bool {
        guard DeviceSelection.device(of: talker) == device.followed else { return false }
        return olderHeight.isOlder(time, than: draft.time >= 0 ? draft.time : endedTime)
    }

    @inline(never)
    private mutating func keepOlderHeight(
        _ s: Sentence, _ bytes: RawSpan, _ quality: FixQuality, _ time: Int32, altitude: Int, separation: Int, age: Int
    ) {
        let pending = draft
        draft = Draft()
        draft.qualify(quality, .gga)
        readHeight(s, bytes, satellites: 7, hdop: 8, altitude: altitude, separation: separation, age: age)
        olderHeight.keep(draft, time)
        draft = pending
    }

    @inline(__always)
    private mutating func readHeight(
        _ s: Sentence, _ bytes: RawSpan, satellites: Int, hdop: Int, altitude: Int, separation: Int, age: Int
    ) {
        // If an epoch has several (GPGGA, GNGNS, GAGGA), the first one counts.
        guard !draft.hasSentHeight else { return }
        if let used = s.integer(satellites, bytes) {
            draft.satellitesUsed = max(draft.satellitesUsed, Int32(truncatingIfNeeded: used))
        }
        if draft.sent.hdop.isNone { draft.sent.hdop = s.decimal(hdop, bytes) }
        draft.sent.correctionAge = s.decimal(age, bytes)
        let height = s.decimal(altitude, bytes)
        draft.hasSentHeight = !height.isNone
        // A frame contains more digits.
        guard draft.rank < Draft.Rank.ubx.rawValue else { return }
        draft.sent.altitude = height
        draft.sent.geoidSeparation = s.decimal(separation, bytes)
    }

    /// Returns the quality of GGA field 6. 0 means no fix, and so does a field that is not a number. NovAtel sends 9
    /// for SBAS.
    @inline(__always)
    static func quality(number: Int) -> FixQuality? {
        switch number {
        case 1: .autonomous
        case 2, 9: .differential
        case 3: .precise
        case 4: .rtkFixed
        case 5: .rtkFloat
        case 6: .estimated
        case 7: .manual
        case 8: .simulated
        default: number > 9 ? .unknown : nil
        }
    }

    /// Returns whether the status of RMC or GLL reports a fix. Unicore sends D for a differential one.
    @inline(__always)
    private static func isActive(_ status: UInt8, _ mode: UInt8) -> Bool {
        (status == UInt8(ascii: "A") || status == UInt8(ascii: "D")) && mode != UInt8(ascii: "N")
    }

    /// Returns the quality of a mode indicator or, without one, the quality of the status D.
    @inline(__always)
    private static func quality(mode: UInt8, status: UInt8) -> FixQuality? {
        quality(mode: mode) ?? (status == UInt8(ascii: "D") ? .differential : nil)
    }

    /// Returns the quality of a mode indicator, introduced with NMEA 0183 v2.3, or `nil` without one.
    @inline(__always)
    static func quality(mode: UInt8) -> FixQuality? {
        switch mode {
        case UInt8(ascii: "A"): .autonomous
        case UInt8(ascii: "D"): .differential
        case UInt8(ascii: "P"): .precise
        case UInt8(ascii: "R"): .rtkFixed
        case UInt8(ascii: "F"): .rtkFloat
        case UInt8(ascii: "E"): .estimated
        case UInt8(ascii: "M"): .manual
        case UInt8(ascii: "S"): .simulated
        default: nil
        }
    }

    /// Returns the best of the mode letters of GNS, or `nil` if all of them are N.
    private func gnsQuality(_ s: Sentence, _ bytes: RawSpan) -> FixQuality? {
        var best: FixQuality?
        for index in 0..<s.length(6) {
            guard let quality = Self.quality(mode: bytes.byte(at: s.start(6) &+ index)) else { continue }
            if let known = best, Self.preference(known) >= Self.preference(quality) { continue }
            best = quality
        }
        return best
    }

    private static func preference(_ quality: FixQuality) -> Int {
        switch quality {
        case .simulated, .unknown: 0
        case .manual: 1
        case .estimated: 2
        case .autonomous: 3
        case .precise: 4
        case .differential: 5
        case .rtkFloat: 6
        case .rtkFixed: 7
        }
    }
}

// VTG, ZDA: motion and date.

extension NMEADecoder {
    /// Reads VTG: true course (1, T), magnetic course (3, M), knots (5, N), km/h (7, K), mode (9). Before NMEA 2.3,
    /// without the unit letters: true course, magnetic course, knots and km/h in 1...4.
    @inline(__always)
    mutating func readVTG(_ s: Sentence, _ bytes: RawSpan, _ talker: Talker) -> Reading {
        guard joinMotion(talker) else { return .nothing }
        guard s.letter(9, bytes) != UInt8(ascii: "N") else { return .part(.vtg) }
        if !draft.sent.knots.isNone, !draft.sent.course.isNone { return .part(.vtg) }
        let hasUnits = s.count > 5
        draft.sent.trackCourse = s.decimal(1, bytes)
        draft.sent.trackKnots = s.decimal(hasUnits ? 5 : 3, bytes)
        draft.sent.trackKilometresPerHour = s.decimal(hasUnits ? 7 : 4, bytes)
        return .part(.vtg)
    }

    /// Joins VTG. The sentence may come from another device while the followed device sends no motion at all: on a
    /// bus, one instrument may send the position, and another one the motion. Returns `false` if the sentence is
    /// dropped.
    @inline(__always)
    private mutating func joinMotion(_ talker: Talker) -> Bool {
        guard DeviceSelection.device(of: talker) != device.followed else {
            device.sendsMotion = true
            draft.note(.vtg)
            return true
        }
        guard device.isFollowing, !device.sendsMotion else { return joinUntimed(.vtg, talker) }
        counts.othersMotion &+= 1
        draft.note(.vtg)
        return true
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
