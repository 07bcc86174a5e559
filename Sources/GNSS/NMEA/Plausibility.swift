/// The bounds of what a working receiver can report. Readers of NMEA and of gpsd use the same bounds, so that a
/// receiver yields the same fixes either way.
///
/// Attack: a gpsd on another machine, or a device that poses as a receiver, reports a speed of 5e8 m/s or a date in
/// 2070. The speed pushes every computed value out of its range; the date makes every later fix look old.
public enum Plausibility {
    /// The greatest plausible speed over ground, in metres per second. A greater speed is omitted from its fix,
    /// together with the course. Receivers for general use stop working at half of this speed: 515 m/s (1,000 knots) or
    /// 600 m/s (Missile Technology Control Regime, annex, item 11.A.3).
    public static let greatestSpeed = 1200.0

    /// The start of GPS time, 1980-01-06, in milliseconds since 1970. All receivers are younger.
    public static let startOfGPSTime: Int64 = 315_964_800_000

    /// The earliest date of a live receiver: 2017-01-01, in milliseconds since 1970. An earlier date is impossible and
    /// is corrected by adding 1024 weeks. It equals gpsd's date, so that both ways report the same time for an old
    /// receiver until 2036.
    public static let earliestLiveDate: Int64 = 1_483_228_800_000

    /// The first date that is too late: 2056-04-02, in milliseconds since 1970. Fixes from this date on are dropped. It
    /// is two cycles of 1024 weeks after ``earliestLiveDate``. A week number that has rolled over cannot lead to it. It
    /// does not depend on the machine's clock, which may be waiting to be set by the receiver.
    public static let latestDate: Int64 = earliestLiveDate + 2 * weekCycle

    /// Returns a time of a live receiver, in milliseconds since 1970. A time before ``earliestLiveDate`` gets whole
    /// cycles of 1024 weeks added. Returns `nil` for a placeholder.
    ///
    /// - Parameter present: The machine's time in milliseconds since 1970, or `nil` if its clock is not set.
    public static func live(_ milliseconds: Int64, at present: @autoclosure () -> Int64?) -> Int64? {
        guard milliseconds < earliestLiveDate else { return milliseconds }
        let live = milliseconds + (earliestLiveDate - milliseconds + weekCycle - 1) / weekCycle * weekCycle
        return isPlaceholder(live, at: present()) ? nil : live
    }

    /// Returns whether a date with added cycles is only a placeholder: a receiver that does not know its week sends the
    /// first week of GPS time, or of its firmware. No cycle leads from there to the machine's clock.
    public static func isPlaceholder(_ milliseconds: Int64, at present: Int64?) -> Bool {
        guard let present, present >= earliestLiveDate else { return false }
        return abs(milliseconds - present) > 366 * Calendar.millisecondsPerDay
    }

    /// The cycle of the week number that GPS satellites send, 1024 weeks, in milliseconds.
    static let weekCycle: Int64 = 1024 * 7 * Calendar.millisecondsPerDay
}
