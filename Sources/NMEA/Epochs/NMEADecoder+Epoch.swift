extension NMEADecoder {
    /// Returns the epoch that its sentences make, or `nil` if its time is impossible or does not follow that of the
    /// last epoch.
    mutating func epoch() -> Epoch? {
        guard draft.time >= 0 else { return epoch(timeOfDay: nil, nil, isDateSent: false) }
        let isDateSent = draft.dateTime >= 0 && !draft.dateIsVoid
        if !isDateSent,
            let day = errors.date(for: draft.time, isDated: timeline.isDated)
        {
            draft.date = day.date
            draft.dateTime = day.time
        }
        let stamp = timeline.stamp(draft.time, date: draft.date, dateTime: draft.dateTime)
        if let stamp, !timeline.isPossible(stamp.milliseconds) {
            counts.outOfRange &+= 1
            return nil
        }
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
        sky.epochEnded(draft.time)
        return epoch(timeOfDay: draft.time, stamp, isDateSent: isDateSent)
    }

    @inline(__always)
    private mutating func epoch(
        timeOfDay: Int32?, _ stamp: (milliseconds: Int64, repaired: Bool)?, isDateSent: Bool
    ) -> Epoch {
        counts.epochs &+= 1
        if stamp == nil { counts.epochsWithoutDate &+= 1 }
        let reported = errors.accuracies(draft)
        return Epoch(
            timeOfDay: timeOfDay, millisecondsSince1970: stamp?.milliseconds, exactLatitude: draft.latitude,
            exactLongitude: draft.longitude, quality: draft.quality,
            dimension: FixDimension(rawValue: draft.dimension), talker: draft.talker,
            dateRepaired: stamp?.repaired ?? false, isDateSent: isDateSent, mark: draft.mark,
            datum: draft.datum, datumError: draft.datumError, sent: draft.sent,
            sentSatellitesUsed: draft.satellitesUsed, reportedHorizontalAccuracy: reported.horizontal,
            toldVerticalAccuracy: reported.vertical)
    }
}
