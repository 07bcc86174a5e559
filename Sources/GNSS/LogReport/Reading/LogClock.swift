internal import NMEA

/// The clock of an NMEA log. It runs from the first epoch on, even before the receiver has sent its date.
///
/// Before the date, the clock shows the time of day, and continues over midnight. The first date reveals how many
/// milliseconds the clock is behind (``dateOffset``). This applies to earlier times, too.
struct LogClock {
    /// The difference between the time since 1970 and this clock in milliseconds, or `nil` before the first date.
    private(set) var dateOffset: Int64?
    private var last: Int64 = 0
    private var isRunning = false

    private static let day: Int64 = 86_400_000

    /// Returns the time of an epoch, or `nil` if the receiver has sent no time.
    mutating func time(of epoch: Epoch) -> Int64? {
        guard let timeOfDay = epoch.timeOfDay else { return nil }
        if let stamp = epoch.millisecondsSince1970, let dateOffset {
            last = stamp - dateOffset
        } else {
            last = next(timeOfDay: Int64(timeOfDay))
            if let stamp = epoch.millisecondsSince1970 { dateOffset = stamp - last }
        }
        isRunning = true
        return last
    }

    /// Returns the time of an epoch without a fix, from its time of day in milliseconds.
    mutating func time(ofDay timeOfDay: Int32) -> Int64 {
        last = next(timeOfDay: Int64(timeOfDay))
        isRunning = true
        return last
    }

    /// Returns the moment with this time of day that is closest to the last moment.
    private func next(timeOfDay: Int64) -> Int64 {
        guard isRunning else { return timeOfDay }
        let difference = (timeOfDay - last) % Self.day
        if difference > Self.day / 2 { return last + difference - Self.day }
        if difference < -Self.day / 2 { return last + difference + Self.day }
        return last + difference
    }
}
