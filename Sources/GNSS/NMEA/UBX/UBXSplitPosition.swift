// UBX-NAV-POSLLH, -STATUS, -DOP, -SOL, -VELNED, -TIMEGPS and -TIMEUTC: the solution of u-blox 5 to 7, which have no
// NAV-PVT or are not set to send it (u-blox 6 Receiver Description, "UBX Class NAV"). Each begins with the time of the
// GPS week in milliseconds.

extension NMEADecoder {
    /// The worst accuracy, in thousandths of a metre, of a position that counts although no frame reports whether it is
    /// a fix. Without a fix, receivers send some hundred kilometres, or the greatest number.
    private static let greatestUnvouchedError: Int64 = 1_000_000

    /// Reads a frame of a solution in several frames. Returns `nil` for other kinds.
    mutating func readSplitSolution(_ message: UBXMessage, _ frame: UBXFrame, _ bytes: RawSpan) -> Reading? {
        let kind: SplitSolution.Kinds
        switch message {
        case .geodeticPosition: kind = .position
        case .status: kind = .status
        case .dilutions: kind = .dilutions
        case .solution: kind = .solution
        case .velocity: kind = .velocity
        case .gpsTime: kind = .gpsTime
        case .utc: kind = .utc
        case .navigationPosition, .satellites, .channels, .hardware, .radioFrequency, .signalSecurity,
            .relativePosition, .protectionLevel, .messageAuthentication, .fusionStatus, .precisePosition, .rtcmInput,
            .correctionInput:
            return nil
        }
        // Spoofing does not concern the epoch: the receiver's report counts even if the epoch is dropped.
        if kind == .status { applySpoofing(state: frame.number(7, bytes, as: UInt8.self) &>> 3 & 3) }
        let join = joinSplitSolution(kind, frame.number(0, bytes))
        guard join == .joined else { return Reading(join) }
        switch kind {
        case .position: readGeodeticPosition(frame, bytes)
        case .status: readVerdict(fixType: 4, frame, bytes)
        case .dilutions: readDilutions(frame, bytes)
        case .solution: readSolution(frame, bytes)
        case .velocity: readVelocity(frame, bytes)
        case .gpsTime: readGPSTime(frame, bytes)
        default: readUTC(frame, bytes)
        }
        settleSplitSolution()
        return .part(.ubloxSolution)
    }

    private mutating func joinSplitSolution(_ kind: SplitSolution.Kinds, _ timeOfWeek: UInt32) -> Join {
        guard timeOfWeek < SplitSolution.millisecondsPerWeek else {
            counts.malformed &+= 1
            return .dropped
        }
        let isSame = timeOfWeek == split.timeOfWeek
        let time = isSame ? split.time : split.timeOfDay(timeOfWeek)
        let opens = draft.time < 0
        if isSame, opens, endedTime >= 0, Calendar.sameMoment(time, endedTime), !split.kinds.contains(kind) {
            // The end of the cycle was presumed too early.
            counts.lateSentences &+= 1
            cycleEnd.refute()
            split.add(kind)
            return .dropped
        }
        let join = joinTimed(.ubloxSolution, time, valid: kind == .position, Talker(code: 0x4E_47))
        guard join == .joined else { return join }
        if !isSame { split.begin(timeOfWeek) }
        if opens { split.hasOpened = true }
        split.add(kind)
        return .joined
    }

    /// Reads NAV-POSLLH: longitude (4), latitude (8), height (12), altitude (16), accuracies (20, 24).
    private mutating func readGeodeticPosition(_ frame: UBXFrame, _ bytes: RawSpan) {
        split.place = SplitSolution.Place(
            position: frame.position(longitude: 4, latitude: 8, bytes), height: frame.number(12, bytes),
            altitude: frame.number(16, bytes), horizontalError: frame.accuracy(20, bytes),
            verticalError: frame.accuracy(24, bytes))
    }

    /// Reads the fix type of NAV-STATUS and NAV-SOL, and the flags after it: 1 fix within the limits set in the
    /// receiver, 2 differential.
    private mutating func readVerdict(fixType offset: Int, _ frame: UBXFrame, _ bytes: RawSpan) {
        let fixType = frame.number(offset, bytes, as: UInt8.self)
        let flags = frame.number(offset &+ 1, bytes, as: UInt8.self)
        var quality: FixQuality?
        if flags & 1 != 0 {
            switch fixType {
            case 1: quality = .estimated
            case 2, 3, 4: quality = flags & 2 != 0 ? .differential : .autonomous
            case 5: quality = .manual
            default: break
            }
        }
        split.verdict = SplitSolution.Verdict(
            quality: quality, dimension: fixType == 2 ? 2 : (3...5).contains(fixType) ? 3 : 0)
    }

    /// Reads NAV-DOP: PDOP (6), VDOP (10), HDOP (12), in hundredths.
    private mutating func readDilutions(_ frame: UBXFrame, _ bytes: RawSpan) {
        func dilution(_ offset: Int) -> FixedPoint {
            FixedPoint(mantissa: Int64(frame.number(offset, bytes, as: UInt16.self)), scale: 2)
        }
        if draft.sent.pdop.isNone { draft.sent.pdop = dilution(6) }
        if draft.sent.vdop.isNone { draft.sent.vdop = dilution(10) }
        if draft.sent.hdop.isNone { draft.sent.hdop = dilution(12) }
    }

    /// Reads NAV-SOL: GPS week (8), fix (10), flags (11: 4 week valid, 8 time of week valid), PDOP (44), satellites
    /// (47).
    private mutating func readSolution(_ frame: UBXFrame, _ bytes: RawSpan) {
        readVerdict(fixType: 10, frame, bytes)
        if draft.sent.pdop.isNone {
            draft.sent.pdop = FixedPoint(mantissa: Int64(frame.number(44, bytes, as: UInt16.self)), scale: 2)
        }
        draft.satellitesUsed = max(draft.satellitesUsed, frame.satelliteCount(47, bytes))
        guard frame.number(11, bytes, as: UInt8.self) & 12 == 12 else { return }
        applyDate(week: frame.number(8, bytes), isSent: split.knowsLeapSeconds)
    }

    /// Reads NAV-VELNED: speed over ground (20) and its accuracy (28) in cm/s, course (24) and its accuracy (32).
    private mutating func readVelocity(_ frame: UBXFrame, _ bytes: RawSpan) {
        guard draft.sent.motion.isNone else { return }
        func millimetres(_ offset: Int) -> UInt64 { UInt64(frame.number(offset, bytes, as: UInt32.self)) &* 10 }
        draft.sent.motion = SentMotion(
            speed: Int32(clamping: millimetres(20)), course: frame.number(24, bytes),
            speedAccuracy: UInt32(clamping: millimetres(28)), courseAccuracy: frame.number(32, bytes))
    }

    /// Reads NAV-TIMEGPS: GPS week (8), leap seconds (10), validity (11: 1 time of week, 2 week, 4 leap seconds).
    private mutating func readGPSTime(_ frame: UBXFrame, _ bytes: RawSpan) {
        let validity = frame.number(11, bytes, as: UInt8.self)
        if validity & 4 != 0 { learn(leapSeconds: Int32(frame.number(10, bytes, as: Int8.self))) }
        if validity & 3 == 3 { applyDate(week: frame.number(8, bytes), isSent: validity & 4 != 0) }
    }

    /// Reads NAV-TIMEUTC: nanoseconds (8), date (12...15), time (16...18), validity (19: 1 time of week, 2 week, 4
    /// UTC).
    private mutating func readUTC(_ frame: UBXFrame, _ bytes: RawSpan) {
        let validity = frame.number(19, bytes, as: UInt8.self)
        guard validity & 3 == 3,
            let moment = frame.moment(clock: 16, nanoseconds: 8, date: 12, bytes), let days = moment.days
        else { return }
        if validity & 4 != 0 {
            let day = Int32(Calendar.millisecondsPerDay)
            let ahead = (Int32(split.timeOfWeek % UInt32(day)) &- moment.time &+ day) % day
            learn(leapSeconds: (ahead &+ 500) / 1000)
        }
        // The date belongs to this time, whose day may differ from the epoch's day by assumed leap seconds.
        draft.date(days, at: moment.time, void: validity & 4 == 0)
    }

    /// Applies leap seconds that the receiver knows, also to an epoch that these frames have begun with other leap
    /// seconds.
    private mutating func learn(leapSeconds: Int32) {
        guard (0...60).contains(leapSeconds) else { return }
        split.learn(leapSeconds: leapSeconds)
        let time = split.timeOfDay(split.timeOfWeek)
        if split.hasOpened, draft.time == split.time {
            if draft.dateTime == split.time { draft.dateTime = time }
            draft.time = time
        }
        split.time = time
    }

    /// Applies the date of a GPS week. It counts as sent only together with the leap seconds: without them, the second
    /// is a guess.
    private mutating func applyDate(week: Int16, isSent: Bool) {
        guard week > 0 else { return }
        let milliseconds =
            Plausibility.startOfGPSTime + Int64(week) * 7 * Calendar.millisecondsPerDay + Int64(split.timeOfWeek)
            - Int64(split.leapSeconds) * 1000
        let days = Int32(truncatingIfNeeded: milliseconds / Calendar.millisecondsPerDay)
        draft.date(days, at: Int32(truncatingIfNeeded: milliseconds % Calendar.millisecondsPerDay), void: !isSent)
    }

    /// Applies the position to the epoch once it is known whether it is a fix.
    private mutating func settleSplitSolution() {
        guard !split.isSettled, let verdict = split.verdict else { return }
        guard let quality = verdict.quality else {
            split.isSettled = true
            draft.isVoid = true
            counts.sentencesWithoutFix &+= 1
            return
        }
        if let place = split.place { settle(place, quality, dimension: verdict.dimension) }
    }

    /// Applies the position to an epoch at its end although no frame has reported that it is a fix.
    mutating func settleUnvouchedPosition() {
        guard let place = split.place, split.verdict == nil, !split.isSettled,
            draft.parts.count(.ubloxSolution) > 0
        else { return }
        guard !place.horizontalError.isNone, place.horizontalError.mantissa <= Self.greatestUnvouchedError else {
            split.isSettled = true
            draft.isVoid = true
            counts.sentencesWithoutFix &+= 1
            return
        }
        settle(place, .unknown, dimension: 0)
    }

    private mutating func settle(_ place: SplitSolution.Place, _ quality: FixQuality, dimension: UInt8) {
        split.isSettled = true
        guard case .valid(let latitude, let longitude) = place.position else {
            counts.outOfRange &+= 1
            return
        }
        guard self.place(latitude, longitude, rank: .ubx, from: .ubloxSolution, of: Talker(code: 0x4E_47)),
            draft.positionPart == .ubloxSolution, draft.rank == Draft.Rank.ubx.rawValue
        else { return }
        draft.qualify(quality, quality == .unknown ? .gll : .ubx)
        draft.dimension = max(draft.dimension, dimension)
        applyHeights(ellipsoidal: place.height, altitude: place.altitude)
        draft.horizontalError = place.horizontalError
        draft.verticalError = place.verticalError
        draft.errorsAreMedians = false
    }
}
