internal import Glibc
package import LocationModel
internal import NIOCore
internal import TimeTransfer

/// The machine's clock and calendar.
package enum WallClock {
    /// Returns the current time, in UTC.
    package static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Returns the current time, in nanoseconds since 1970.
    package static func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Returns the current time together with the event loop's clock.
    static func clocks(with steady: NIODeadline) -> ClockReading {
        ClockReading(wall: nanoseconds(), steady: Int64(clamping: steady.uptimeNanoseconds))
    }

    /// Returns the first midnight after a time in the machine's time zone, both in seconds since 1970. mktime(3)
    /// handles days of 23 and 25 hours too.
    ///
    /// The zone may have changed since the last call, and localtime_r(3) alone does not notice: tzset(3) does.
    static func nextMidnight(after seconds: Int64) -> Int64 {
        tzset()
        var now = time_t(seconds)
        var date = tm()
        localtime_r(&now, &date)
        date.tm_mday += 1
        date.tm_hour = 0
        date.tm_min = 0
        date.tm_sec = 0
        date.tm_isdst = -1
        return Int64(mktime(&date))
    }
}
