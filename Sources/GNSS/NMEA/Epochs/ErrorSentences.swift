/// The last GST, GBS and ZDA. Each has a time stamp, and is used only for the epoch with the same one.
struct ErrorSentences {
    /// The values of GST in metres, one standard deviation: along the axes of the error ellipse and of the map.
    struct Statistics {
        var time: Int32 = -1
        var major = FixedPoint.none
        var minor = FixedPoint.none
        var north = FixedPoint.none
        var east = FixedPoint.none
        var up = FixedPoint.none
        /// For GST only: the root mean square of the range residuals, and the degrees from true north to the major
        /// axis.
        var ranges = FixedPoint.none
        var orientation = FixedPoint.none
    }

    var statistics = Statistics()
    /// The values of GBS in metres.
    var faults = Statistics()
    var dateTime: Int32 = -1
    /// The date of ZDA in days since 1970-01-01.
    var date: Int32 = 0

    /// Returns the date of ZDA for an epoch, and the time in that sentence. While no date is known, a ZDA up to
    /// five seconds away suffices: some receivers send it only occasionally, or for the next second.
    @inline(__always)
    func date(for time: Int32, isDated: Bool) -> (date: Int32, time: Int32)? {
        guard dateTime >= 0 else { return nil }
        guard abs(Calendar.difference(time, dateTime)) <= (isDated ? 10 : 5000) else { return nil }
        return (date, dateTime)
    }
}
