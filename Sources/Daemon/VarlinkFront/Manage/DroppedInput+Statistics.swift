internal import LocationProtocol
internal import NMEA
internal import Receivers

extension DroppedInput {
    /// Returns the input that a receiver dropped, the largest count first, or `nil` if it dropped nothing.
    static func of(_ statistics: ReceiverStatistics) -> [DroppedInput]? {
        let counts = statistics.nmea ?? Counts()
        let all: [(Reason, Int)] = [
            (.wrongChecksum, Int(clamping: counts.checksumErrors)),
            (.missingChecksum, Int(clamping: counts.missingChecksums)),
            (.overlong, Int(clamping: counts.overlong)),
            (.unreadableField, Int(clamping: counts.malformed)),
            (.outOfRange, Int(clamping: counts.outOfRange)),
            (.repeatedTime, Int(clamping: counts.staleTimes)),
            (.earlierTime, Int(clamping: counts.backwardTimes)),
            (.otherDevice, Int(clamping: counts.otherDevices)),
            (.otherClock, Int(clamping: counts.otherClocks)),
            (.unsupportedFrame, Int(clamping: counts.unreadFrames)),
            (.implausible, statistics.droppedFixes),
        ]
        let dropped = all.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }.map { DroppedInput(reason: $0.0, count: $0.1) }
        return dropped.isEmpty ? nil : dropped
    }
}
