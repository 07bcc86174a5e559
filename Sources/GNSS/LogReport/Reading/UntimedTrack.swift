/// The points of a file whose times reveal nothing about their order, as a track without times.
///
/// Recorders without a time write 1970-01-01 or the time of being switched on with each point, and some programs write
/// the points of a track with the newest first.
struct UntimedTrack {
    /// The time of the last point, in milliseconds since 1970.
    private(set) var time: Int64?
    private(set) var points: UInt64 = 0
    /// A Boolean value indicating whether the times go back.
    private(set) var isReversed = false
    private(set) var statistics = LogStatistics()

    /// Adds a point, unless its time follows the time of the previous point. Returns whether it was added.
    mutating func add(_ fix: LogFix) -> Bool {
        if points > 0, time != fix.time {
            guard let time, let next = fix.time, next < time else { return false }
            isReversed = true
        }
        var untimed = fix
        untimed.time = nil
        time = fix.time
        points += 1
        statistics.add(untimed, quality: nil)
        return true
    }
}
