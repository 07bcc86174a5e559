import LocationModel
import NMEA

/// The timestamps of the epochs of a receiver that sends no date, as RTK rovers, marine plotters and simulators do.
///
/// They are dated by the machine's clock. That must not happen to a receiver that sends its date late, or whose first
/// sentences are missing because the port was opened in the middle of them. So the first epoch without a date makes no
/// fix, unless the receiver is known.
///
/// Such a timestamp says nothing about the machine's clock, and must never set it or be compared with it.
struct UndatedEpochs {
    /// A Boolean value indicating whether the receiver has sent several epochs, and no date with the last ones.
    private(set) var isUndated = false
    /// A Boolean value indicating whether there was no timestamp because the machine's clock is not set either.
    private(set) var lacksClock = false
    private var waits = false

    /// Records that the port or the connection was opened again.
    mutating func reopen() {
        waits = false
        lacksClock = false
    }

    /// Records that the receiver has sent its date.
    mutating func didReceiveDate() {
        self = UndatedEpochs()
    }

    /// Returns the timestamp of an epoch that has just arrived without a date, or `nil` if it makes no fix.
    ///
    /// - Parameters:
    ///   - timeOfDay: Milliseconds since midnight UTC, or `nil` if the receiver has not sent that either.
    ///   - now: The machine's time.
    mutating func timestamp(timeOfDay: Int32?, now: Timestamp) -> Timestamp? {
        if !isUndated, !waits {
            waits = true
            return nil
        }
        isUndated = true
        // A clock that was not set since the machine was switched on begins in 1970, or at the build time of its
        // software.
        lacksClock = now.millisecondsSince1970 < Plausibility.earliestLiveDate
        guard !lacksClock else { return nil }
        return timeOfDay.map { Self.nearest($0, to: now) } ?? now
    }

    /// Returns the moment with that time of day that is nearest to `time`.
    static func nearest(_ timeOfDay: Int32, to time: Timestamp) -> Timestamp {
        let day: Int64 = 86_400_000
        let now = time.millisecondsSince1970
        let difference = ((Int64(timeOfDay) - now) % day + day) % day
        return Timestamp(millisecondsSince1970: now + (difference > day / 2 ? difference - day : difference))
    }
}

extension UndatedEpochs {
    /// Returns the timestamp of an epoch that has just arrived, and its origin, or `nil` if the epoch makes no fix.
    mutating func date(_ epoch: Epoch, clock: () -> Timestamp) -> (Timestamp, FixDating)? {
        if let milliseconds = epoch.millisecondsSince1970,
            !epoch.dateRepaired || !Plausibility.isPlaceholder(milliseconds, at: clock().millisecondsSince1970)
        {
            if waits || isUndated { didReceiveDate() }
            return (Timestamp(millisecondsSince1970: milliseconds), .receiver)
        }
        return timestamp(timeOfDay: epoch.timeOfDay, now: clock()).map {
            ($0, epoch.timeOfDay == nil ? .arrival : .nearestDay)
        }
    }
}
