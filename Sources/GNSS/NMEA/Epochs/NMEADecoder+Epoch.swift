extension NMEADecoder {
    /// Returns the epoch that results from the sentences, or `nil` if its time is impossible or does not follow the
    /// time of the last epoch.
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
        return epoch(timeOfDay: draft.time, stamp, isDateSent: isDateSent && stamp != nil)
    }

    @inline(__always)
    private mutating func epoch(
        timeOfDay: Int32?, _ stamp: (milliseconds: Int64, repaired: Bool)?, isDateSent: Bool
    ) -> Epoch {
        counts.epochs &+= 1
        if precise != nil { applyPrecisePosition() }
        olderHeight.complete(&draft)
        if stamp == nil { counts.epochsWithoutDate &+= 1 }
        let reported = errors.accuracies(draft)
        return Epoch(
            timeOfDay: timeOfDay, millisecondsSince1970: stamp?.milliseconds, exactLatitude: draft.latitude,
            exactLongitude: draft.longitude, quality: draft.quality,
            dimension: FixDimension(rawValue: draft.dimension), talker: draft.talker,
            dateRepaired: stamp?.repaired ?? false, isDateSent: isDateSent, mark: draft.mark,
            datum: draft.datum, datumError: draft.datumError, sent: draft.sent,
            sentSatellitesUsed: draft.satellitesUsed, reportedHorizontalAccuracy: reported.horizontal,
            reportedVerticalAccuracy: reported.vertical)
    }
}

/// The sentences that contribute to an epoch, and whose order reveals the end of a cycle.
///
/// GSV is not among them: a fix does not wait for the list of satellites, which takes a quarter of a second at 9600
/// baud.
enum EpochPart: UInt8 {
    case rmc, gga, gll, gns, gsa, vtg, zda, gst, gbs, ubloxPosition, garminError, garminAltitude, ashtechPosition,
        ubloxNavigation
    /// Any frame of a solution in several frames.
    case ubloxSolution
    case ubloxPrecise
}

/// The number of occurrences of each of the sixteen parts in a cycle, at most fifteen: four bits for each.
struct PartCounts {
    private var bits: UInt64 = 0

    var isEmpty: Bool { bits == 0 }

    @inline(__always)
    func count(_ part: EpochPart) -> UInt8 {
        UInt8(truncatingIfNeeded: bits &>> Self.shift(part)) & 15
    }

    @inline(__always)
    mutating func add(_ part: EpochPart) {
        if count(part) < 15 { bits &+= 1 &<< Self.shift(part) }
    }

    @inline(__always)
    private static func shift(_ part: EpochPart) -> UInt64 { UInt64(part.rawValue) &* 4 }
}
