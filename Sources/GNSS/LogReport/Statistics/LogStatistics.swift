internal import NMEA

/// The statistics of a log, in constant memory however long it is.
///
/// When time goes back, or leaps by more than ``longestSilence``, a new part begins: on one axis of time, neither would
/// be readable. Receivers report dates that are decades off before they have their first fix.
package struct LogStatistics: Sendable {
    /// The number of parts that are kept, at most: those with the most fixes.
    package static let maximumParts = 4
    /// Milliseconds: 30 days.
    static let longestSilence: Int64 = 30 * 86_400_000
    /// The least time between two looks at the sky, in milliseconds.
    static let skyInterval: Int64 = 1000

    /// The parts, in the order of the log.
    package private(set) var parts: [LogPart] = []
    /// The number of parts that are not kept, and of their fixes.
    package private(set) var droppedParts: UInt64 = 0
    package private(set) var droppedFixes: UInt64 = 0
    /// The number of fixes without a time.
    package private(set) var untimedFixes: UInt64 = 0
    /// The time of the first fix by the log's clock.
    private(set) var firstTime: Int64?
    /// The number of fixes by the quality that the receiver reported.
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

    /// Returns whether the satellites at that time should be added: the sky changes slowly.
    func wantsSatellites(at time: Int64) -> Bool {
        lastSky.map { time < $0 || time - $0 >= Self.skyInterval } ?? true
    }

    /// Adds the satellites at the time of the fix that was added last.
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
