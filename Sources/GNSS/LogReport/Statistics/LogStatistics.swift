internal import NMEA

/// The statistics of a log, in constant memory regardless of its length.
///
/// A new part begins when time goes back, or jumps by more than ``longestSilence``: on a common time axis, neither
/// would be readable. Receivers report dates that are decades off before their first fix.
package struct LogStatistics: Sendable {
    /// The maximum number of kept parts. The parts with the most fixes are kept.
    package static let maximumParts = 4
    /// The longest time without a fix within a part, in milliseconds: 30 days.
    static let longestSilence: Int64 = 30 * 86_400_000
    /// The least time between two samples of the sky, in milliseconds.
    static let skyInterval: Int64 = 1000

    /// The parts, in the order of the log.
    package private(set) var parts: [LogPart] = []
    /// The number of parts that were not kept, and the number of their fixes.
    package private(set) var droppedParts: UInt64 = 0
    package private(set) var droppedFixes: UInt64 = 0
    /// The number of fixes without a time.
    package private(set) var untimedFixes: UInt64 = 0
    /// The time of the first fix by the log's clock.
    private(set) var firstTime: Int64?
    /// The number of fixes for each quality that the receiver reported.
    private(set) var qualities: [FixQuality: UInt64] = [:]

    private var current = LogPart()
    private var last: Int64?
    private var lastSky: Int64?

    package init() {}

    /// A Boolean value indicating whether the log has a fix so far.
    package var hasFixes: Bool { current.fixes > 0 || !parts.isEmpty }

    mutating func add(_ fix: LogFix, quality: FixQuality?) {
        if let quality { qualities[quality, default: 0] += 1 }
        if let time = fix.time {
            if let last, time < last || time - last > Self.longestSilence { endPart() }
            if firstTime == nil { firstTime = time }
            last = time
        } else {
            untimedFixes += 1
        }
        current.add(fix)
    }

    /// Returns whether to add the satellites at this time. They are sampled, because the sky changes slowly.
    func wantsSatellites(at time: Int64) -> Bool {
        lastSky.map { time < $0 || time - $0 >= Self.skyInterval } ?? true
    }

    /// Adds the satellites at the time of the last added fix.
    mutating func add(_ satellites: [SatelliteInView], at time: Int64) {
        lastSky = time
        current.add(satellites, at: time)
    }

    /// Ends the log.
    mutating func finish() { endPart() }

    private mutating func endPart() {
        guard current.fixes > 0 else { return }
        current.finish()
        parts.append(current)
        current = LogPart()
        guard parts.count > Self.maximumParts else { return }
        let least = parts.indices.min { parts[$0].fixes < parts[$1].fixes }!
        droppedParts += 1
        droppedFixes += parts.remove(at: least).fixes
    }
}
