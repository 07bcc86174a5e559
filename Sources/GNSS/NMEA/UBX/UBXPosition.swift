// UBX-NAV-PVT: u-blox M8 Receiver Description, "Navigation Position Velocity Time Solution". The accuracies are
// u-blox's own estimates, at 68 %.

extension NMEADecoder {
    /// Reads NAV-PVT: time of the GPS week (0), date (4...7), time (8...10), validity (11), nanoseconds (16), fix (20,
    /// 21), satellites (23), longitude (24), latitude (28), height (32, 36), accuracies (40, 44), speed (60), course
    /// (64), their accuracies (68, 72), PDOP (76), further flags (78).
    mutating func readNavigationPosition(_ frame: UBXFrame, _ bytes: RawSpan) -> Reading {
        let moment = frame.moment(bytes)
        let quality = moment == nil ? nil : frame.quality(bytes)
        let join = joinPosition(
            .ubloxNavigation, rank: .ubx, time: moment?.time, frame.length,
            quality == nil ? .absent : frame.position(longitude: 24, latitude: 28, bytes), isValid: quality != nil,
            quality, of: Talker(code: 0x4E_47))
        guard join == .joined else { return Reading(join) }
        navigationTimeOfWeek = frame.number(0, bytes)
        if let moment, let days = moment.days {
            // Until the receiver knows the leap seconds, the second is a guess.
            let isResolved = frame.number(11, bytes, as: UInt8.self) & 4 != 0
            draft.date(days, at: moment.time, void: quality == nil || !isResolved)
        }
        guard quality != nil, draft.rank == Draft.Rank.ubx.rawValue else { return .part(.ubloxNavigation) }
        applyHeights(ellipsoidal: frame.number(32, bytes), altitude: frame.number(36, bytes))
        draft.horizontalError = frame.accuracy(40, bytes)
        draft.verticalError = frame.accuracy(44, bytes)
        draft.errorsAreMedians = false
        draft.satellitesUsed = max(draft.satellitesUsed, frame.satelliteCount(23, bytes))
        draft.sent.motion = SentMotion(
            speed: frame.number(60, bytes), course: frame.number(64, bytes), speedAccuracy: frame.number(68, bytes),
            courseAccuracy: frame.number(72, bytes))
        if draft.sent.pdop.isNone {
            draft.sent.pdop = FixedPoint(mantissa: Int64(frame.number(76, bytes, as: UInt16.self)), scale: 2)
        }
        switch frame.number(20, bytes, as: UInt8.self) {
        case 2: draft.dimension = max(draft.dimension, 2)
        case 3, 4, 5: draft.dimension = 3
        default: break
        }
        return .part(.ubloxNavigation)
    }

    /// Applies the heights of a frame, in millimetres.
    mutating func applyHeights(ellipsoidal: Int32, altitude: Int32) {
        draft.sent.ellipsoidalAltitude = FixedPoint(mantissa: Int64(ellipsoidal), scale: 3)
        draft.sent.altitude = FixedPoint(mantissa: Int64(altitude), scale: 3)
        draft.sent.geoidSeparation = FixedPoint(mantissa: Int64(ellipsoidal) &- Int64(altitude), scale: 3)
    }
}

extension UBXFrame {
    /// A moment in UTC: the milliseconds since midnight, and the days since 1970-01-01 if the date is valid.
    typealias Moment = (time: Int32, days: Int32?)

    /// Returns the moment of a NAV-PVT, or `nil` if the receiver does not know it yet.
    fileprivate func moment(_ bytes: RawSpan) -> Moment? {
        let validity = number(11, bytes, as: UInt8.self)
        guard validity & 2 != 0, var moment = moment(clock: 8, nanoseconds: 16, date: 4, bytes) else { return nil }
        if validity & 1 == 0 { moment.days = nil }
        return moment
    }

    /// Returns the moment from an hour, minute and second at the offset `clock`, plus nanoseconds, and from a year,
    /// month and day at the offset `date`. Returns `nil` if the time does not exist.
    func moment(clock: Int, nanoseconds: Int, date: Int, _ bytes: RawSpan) -> Moment? {
        let (hour, minute, second) = (
            Int32(number(clock, bytes, as: UInt8.self)), Int32(number(clock &+ 1, bytes, as: UInt8.self)),
            Int32(number(clock &+ 2, bytes, as: UInt8.self))
        )
        let nanoseconds = number(nanoseconds, bytes, as: Int32.self)
        guard hour < 24, minute < 60, second <= 60, abs(Int64(nanoseconds)) <= 1_000_000_000 else { return nil }
        let days = Calendar.days(
            year: Int(number(date, bytes, as: UInt16.self)), month: Int(number(date &+ 2, bytes, as: UInt8.self)),
            day: Int(number(date &+ 3, bytes, as: UInt8.self)))
        // A leap second gets the same time as in sentences.
        if second == 60, hour == 23, minute == 59 { return (86_399_990, days) }
        // The seconds are rounded, and the nanoseconds are the difference, which may be below zero.
        let rounded = (nanoseconds &+ (nanoseconds < 0 ? -500_000 : 500_000)) / 1_000_000
        let time = (hour &* 3600 &+ minute &* 60 &+ second) &* 1000 &+ rounded
        let day = Int32(Calendar.millisecondsPerDay)
        if time < 0 { return (time &+ day, days.map { $0 &- 1 }) }
        return time >= day ? (time &- day, days.map { $0 &+ 1 }) : (time, days)
    }

    /// Returns the quality of the fix in a NAV-PVT, or `nil` if there is no fix, or a fix that exceeds the limits set
    /// in the receiver.
    fileprivate func quality(_ bytes: RawSpan) -> FixQuality? {
        let flags = number(21, bytes, as: UInt8.self)
        // Since protocol version 27, a flag marks coordinates that are not valid. Shorter payloads do not contain it.
        guard flags & 1 != 0, length < 92 || number(78, bytes, as: UInt8.self) & 1 == 0 else { return nil }
        switch number(20, bytes, as: UInt8.self) {
        case 1: return .estimated
        case 2, 3, 4: break
        // Only the time is computed, for a place that was surveyed or entered.
        case 5: return .manual
        default: return nil
        }
        switch flags &>> 6 {
        case 1: return .rtkFloat
        case 2: return .rtkFixed
        default: return flags & 2 != 0 ? .differential : .autonomous
        }
    }

    /// Returns the position at these offsets, sent in units of 1e-7°.
    func position(longitude: Int, latitude: Int, _ bytes: RawSpan) -> Position {
        let (longitude, latitude) = (number(longitude, bytes, as: Int32.self), number(latitude, bytes, as: Int32.self))
        guard abs(Int64(latitude)) <= 900_000_000, abs(Int64(longitude)) <= 1_800_000_000 else { return .outOfRange }
        return .valid(
            Coordinate(nanominutes: Int64(latitude) &* 6000), Coordinate(nanominutes: Int64(longitude) &* 6000))
    }

    /// Returns the number of used satellites at an offset, or -1 if it is more than a receiver has ever seen at once:
    /// some firmware sets the highest bit.
    func satelliteCount(_ offset: Int, _ bytes: RawSpan) -> Int32 {
        let count = Int32(number(offset, bytes, as: UInt8.self))
        return count <= 100 ? count : -1
    }

    /// Returns an accuracy that is sent with these decimals, or `none` for the greatest value, which means unknown.
    func accuracy(_ offset: Int, _ bytes: RawSpan, decimals: Int = 3) -> FixedPoint {
        let number = number(offset, bytes, as: UInt32.self)
        return number == .max ? .none : FixedPoint(mantissa: Int64(number), scale: decimals)
    }
}
