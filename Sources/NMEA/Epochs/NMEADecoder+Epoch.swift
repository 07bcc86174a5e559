extension NMEADecoder {
    /// Makes an epoch of what its sentences said, unless its time does not follow that of the last one.
    mutating func finishEpoch() {
        if draft.dateTime < 0 || draft.dateIsVoid,
            let day = errors.date(for: draft.time, isDated: timeline.isDated)
        {
            draft.date = day.date
            draft.dateTime = day.time
        }
        let stamp = timeline.stamp(draft.time, date: draft.date, dateTime: draft.dateTime)
        switch timeline.advance(to: draft.time, stamp) {
        case .forward:
            break
        case .standsStill:
            counts.staleTimes &+= 1
            return
        case .backward:
            counts.backwardTimes &+= 1
            return
        }
        counts.epochs &+= 1
        if stamp == nil { counts.epochsWithoutDate &+= 1 }
        sky.epochEnded(draft.time)
        event = .epoch(Epoch(draft, errors, stamp, otherDatum: otherDatum))
    }
}

extension Epoch {
    /// Converts what the sentences said.
    @inline(__always)
    init(
        _ draft: Draft, _ errors: ErrorSentences, _ stamp: (milliseconds: Int64, repaired: Bool)?,
        otherDatum: Bool
    ) {
        self.init(
            timeOfDay: draft.time, millisecondsSince1970: stamp?.milliseconds, exactLatitude: draft.latitude,
            exactLongitude: draft.longitude, quality: draft.quality, talker: draft.talker,
            dateRepaired: stamp?.repaired ?? false, otherDatum: otherDatum)
        altitude = draft.altitude.scaled()
        geoidSeparation = draft.geoidSeparation.scaled()
        if draft.ellipsoidalAltitude.isNone {
            ellipsoidalAltitude = draft.altitude.adding(draft.geoidSeparation).scaled()
        } else {
            ellipsoidalAltitude = draft.ellipsoidalAltitude.scaled()
        }
        speed = Self.speed(knots: draft.speed, kilometresPerHour: draft.speedKmh)
        if speed == nil { speed = Self.speed(knots: draft.trackSpeed, kilometresPerHour: draft.trackSpeedKmh) }
        course = Compass.circle(draft.course.isNone ? draft.trackCourse : draft.course)
        magneticVariation = draft.magneticVariation.scaled()
        dimension = FixDimension(rawValue: draft.dimension)
        hdop = Self.dilution(draft.hdop) ?? Self.dilution(draft.gsaHDOP)
        vdop = Self.dilution(draft.gsaVDOP)
        pdop = Self.dilution(draft.gsaPDOP)
        if draft.satellitesUsed >= 0 { satellitesUsed = Int(draft.satellitesUsed) }
        estimateErrors(draft, errors)
    }

    /// Metres per second. One knot is 1852 m in an hour.
    private static func speed(knots: FixedPoint, kilometresPerHour: FixedPoint) -> Double? {
        guard let speed = knots.scaled(by: 1852, over: 3600) ?? kilometresPerHour.scaled(by: 10, over: 36), speed >= 0
        else { return nil }
        return speed
    }

    /// 99.99 and 0 mean "unknown"; 99.0 and 99.9 are seen too.
    private static func dilution(_ number: FixedPoint) -> Double? {
        guard let dilution = number.scaled(), dilution >= 0.01, dilution <= 89.99 else { return nil }
        return dilution
    }
}
