/// The input that was skipped in a log of GPX or JSON lines.
package struct SkippedInput: Sendable, Equatable {
    /// The number of lines that are not JSON, or have neither a position in range nor an event.
    package var unreadableLines: UInt64 = 0
    /// The first of these lines, counted from 1.
    package var firstUnreadableLine: Int?
    /// The number of fixes with the time of the previous fix.
    package var staleTimes: UInt64 = 0
    /// The number of fixes with an earlier time than the previous fix.
    package var backwardTimes: UInt64 = 0
    /// The number of points of GPX whose position is missing, not a number or not on the globe.
    package var unreadablePoints: UInt64 = 0
    /// The number of other values of GPX that are not numbers or out of range.
    package var unreadableValues: UInt64 = 0
    /// The number of times of GPX that cannot be read.
    package var unreadableTimes: UInt64 = 0
    /// The number of points of GPX that all have the same time, which is then ignored.
    package var sharedTimes: UInt64 = 0
    /// The number of points of GPX in reverse order of time, which is then ignored.
    package var reversedTimes: UInt64 = 0
    /// The reason for the missing end of the log.
    package var ending: LogReader.Failure?

    mutating func countUnreadable(line: Int) {
        unreadableLines += 1
        if firstUnreadableLine == nil { firstUnreadableLine = line }
    }
}
