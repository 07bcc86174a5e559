extension NMEADecoder {
    /// Makes an epoch of what its sentences said; `nil` when its time does not follow that of the last one.
    mutating func finishEpoch() -> Epoch? {
        if let day = errors.date(for: draft.time, isDated: timeline.isDated), draft.dateTime < 0 || draft.dateIsVoid {
            draft.date = day.date
            draft.dateTime = day.time
        }
        let stamp = timeline.stamp(
            draft.time, date: draft.dateTime >= 0 ? draft.date : nil, dateTime: draft.dateTime)
        switch timeline.advance(to: draft.time, stamp) {
        case .forward:
            break
        case .standsStill:
            counts.staleTimes &+= 1
            return nil
        case .backward:
            counts.backwardTimes &+= 1
            return nil
        }
        counts.epochs &+= 1
        if stamp == nil { counts.epochsWithoutDate &+= 1 }
        sky.epochEnded(draft.time)

        var epoch = Epoch(
            timeOfDay: draft.time, millisecondsSince1970: stamp?.milliseconds, exactLatitude: draft.latitude,
            exactLongitude: draft.longitude, quality: draft.quality, talker: draft.talker,
            dateRepaired: stamp?.repaired ?? false, otherDatum: otherDatum)
        epoch.altitude = draft.altitude.scaled()
        epoch.geoidSeparation = draft.geoidSeparation.scaled()
        epoch.ellipsoidalAltitude = ellipsoidalAltitude
        if epoch.altitude == nil, let height = epoch.ellipsoidalAltitude, let separation = epoch.geoidSeparation {
            epoch.altitude = height - separation
        }
        epoch.speed = speed
        epoch.course = course
        epoch.magneticVariation = draft.magneticVariation.scaled()
        epoch.dimension = FixDimension(rawValue: draft.dimension)
        epoch.hdop = dilution(draft.hdop) ?? dilution(draft.gsaHDOP)
        epoch.vdop = dilution(draft.gsaVDOP)
        epoch.pdop = dilution(draft.gsaPDOP)
        if draft.satellitesUsed >= 0 { epoch.satellitesUsed = Int(draft.satellitesUsed) }
        estimateErrors(of: &epoch)
        return epoch
    }

    /// Exact where both terms have few decimals: added as decimals, not as `Double`s.
    private var ellipsoidalAltitude: Double? {
        if !draft.ellipsoidalAltitude.isNone { return draft.ellipsoidalAltitude.scaled() }
        return draft.altitude.adding(draft.geoidSeparation).scaled()
    }

    /// One knot is 1852 m in an hour.
    private var speed: Double? {
        let speed =
            draft.speed.scaled(by: 1852, over: 3600) ?? draft.speedKmh.scaled(by: 10, over: 36)
            ?? draft.trackSpeed.scaled(by: 1852, over: 3600) ?? draft.trackSpeedKmh.scaled(by: 10, over: 36)
        guard let speed, speed >= 0 else { return nil }
        return speed
    }

    private var course: Double? {
        Compass.circle(draft.course.isNone ? draft.trackCourse : draft.course)
    }

    /// 99.99 and 0 mean "unknown"; 99.0 and 99.9 are seen too.
    private func dilution(_ number: FixedPoint) -> Double? {
        guard let dilution = number.scaled(), (0.01...89.99).contains(dilution) else { return nil }
        return dilution
    }
}
