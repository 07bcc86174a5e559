internal import NMEA

/// The section of the page about one part of a log.
struct ReportSection {
    let heading: String
    let part: LogPart
    let log: ReportLog
    let time: TimeText
    /// A Boolean value indicating whether this is the log's first part.
    let isFirst: Bool

    /// The visible span on the time axis, or `nil` if no fix has a time.
    var span: ClosedRange<Int64>? {
        part.times.map { $0.lowerBound...max($0.upperBound, $0.lowerBound + 1000) }
    }

    /// The stand-stills, in order of time.
    var standStills: [StandStills.StandStill] { part.standStills.longest.kept }

    /// A Boolean value indicating whether the log shows that a satellite was used for a fix.
    var isUseKnown: Bool { part.sky.satellites.contains { $0.used > 0 } }

    /// The time from the log's first time stamp to its first fix in milliseconds. `nil` if this is not known or not in
    /// this part.
    var timeToFirstFix: Int64? { isFirst ? log.timeToFirstFix : nil }
}

/// A log that has been read, as the page reports it.
package struct ReportLog {
    let name: String
    let format: LogFormat
    let statistics: LogStatistics
    /// The time before the first fix, if the log contains no fix at all.
    let acquisition: Acquisition?
    let dateOffset: Int64?
    let timeToFirstFix: Int64?
    let skipped: [Skipped]

    /// A kind of skipped or remarkable input, with its count.
    struct Skipped {
        var count: UInt64
        var key: String
        var text: String
    }

    /// Creates the report of a log.
    ///
    /// - Parameters:
    ///   - reader: The reader, after the end of the log.
    ///   - name: The name for headings.
    package init(_ reader: borrowing LogReader, name: String) {
        self.name = name
        format = reader.format ?? .nmea
        statistics = reader.statistics
        acquisition = reader.statistics.hasFixes ? nil : reader.acquisition
        dateOffset = reader.dateOffset
        timeToFirstFix = Self.timeToFirstFix(reader.statistics.firstTime, reader.firstTimeOfDay)
        skipped =
            (format == .nmea
            ? Self.skipped(reader.counts, unchecked: reader.uncheckedSentences) : Self.skipped(reader.skipped)).filter {
                $0.count > 0
            }
    }

    var time: TimeText { TimeText(dateOffset: dateOffset) }

    /// The clock begins with the time of day, so that both times are on the same day or on two successive days.
    private static func timeToFirstFix(_ firstTime: Int64?, _ firstTimeOfDay: Int32?) -> Int64? {
        guard let firstTime, let firstTimeOfDay else { return nil }
        let day: Int64 = 86_400_000
        // Before its first fix, a receiver may report any time. No cold start takes this long.
        let longest: Int64 = 1_800_000
        let time = (firstTime - Int64(firstTimeOfDay) + day) % day
        return time <= longest ? time : nil
    }
}
