/// What a receiver that is alive can mean. Readers of NMEA and of gpsd use the same bounds, so that a receiver gives the
/// same fixes whichever way it is read.
///
/// Attack: a gpsd of another machine, or a device that passes for a receiver, reports a speed of 5e8 m/s or a date of 2070.
/// The one takes everything that counts with the speed out of the region that it is in, the other makes each later fix an
/// old one.
public enum Plausibility {
    /// The greatest speed over ground, in metres per second. A greater one is left out of its fix, together with the
    /// course. It is twice that at which receivers for general use stop: 515 m/s (1,000 knots) or 600 m/s (Missile
    /// Technology Control Regime, annex, item 11.A.3).
    public static let greatestSpeed = 1200.0

    /// The start of GPS time, 1980-01-06, in milliseconds since 1970. No receiver is older.
    public static let startOfGPSTime: Int64 = 315_964_800_000

    /// A date before this is impossible in a receiver that is alive, and is put right by 1024 weeks: 2017-01-01, in
    /// milliseconds since 1970. It is the same as gpsd's, so that both ways report the same time of an old receiver until
    /// 2036.
    public static let earliestLiveDate: Int64 = 1_483_228_800_000

    /// A fix of this date or a later one is dropped: 2056-04-02, in milliseconds since 1970. That is two cycles of 1024
    /// weeks after ``earliestLiveDate``: no week number that has rolled over leads there. It does not depend on the
    /// machine's clock, which may be one that waits to be set by the receiver.
    public static let latestDate: Int64 = earliestLiveDate + 2 * weekCycle

    /// The cycle of the week number that GPS satellites send, 1024 weeks, in milliseconds.
    static let weekCycle: Int64 = 1024 * 7 * Calendar.millisecondsPerDay
}
