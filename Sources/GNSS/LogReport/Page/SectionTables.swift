/// The tables of a section: stand-stills, gaps, outliers, and skipped input.
struct SectionTables {
    let section: ReportSection

    private var part: LogPart { section.part }

    var html: String {
        let found = part.fixes > 0 ? standStills + gaps + outliers : ""
        return "<div class=\"tables\">\n\(found)\(skipped)\(absent)</div>\n"
    }

    // MARK: Definitions

    private static let standStillRule = """
        Stood still: every fix within \(Int(StandStills.radius)) m of their mean for at least \
        \(NumberText.duration(StandStills.leastDuration)), and slower than \(Int(StandStills.leastSpeed)) m/s, \
        without a gap of more than \(NumberText.duration(StandStills.longestGap)). CEP50 and CEP95 are the radii about \
        the mean with 50 % and 95 % of the fixes.
        """

    private static let outlierRule = """
        Outlier: farther from the last good fix than twice the reported speed and \
        \(Int(Outliers.speedAllowance)) m/s allow, beyond three times both accuracies; \(Outliers.limit) in a row \
        at most, then the position has really changed. They are in no other figure.
        """

    private static func gapRule(_ threshold: Int64) -> String {
        """
        Gap: longer than \(NumberText.duration(threshold)) without a fix (\(Intervals.gapFactor) times the median \
        interval, \(NumberText.duration(Intervals.leastGap)) at least).
        """
    }

    /// Everything that the log does not contain, in one line, with the definitions behind it.
    private var absent: String {
        guard part.fixes > 0 else { return "" }
        var names: [String] = []
        var rules: [String] = []
        if part.standStills.longest.count == 0 {
            names.append("stand-stills")
            rules.append(Self.standStillRule)
        }
        if part.intervals.gapCount == 0, let threshold = part.intervals.gapThreshold {
            names.append("gaps")
            rules.append(Self.gapRule(threshold))
        }
        if part.outliers.farthest.count == 0 {
            names.append("outliers")
            rules.append(Self.outlierRule)
        }
        var sentences: [String] = []
        if let last = names.last {
            let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " or " + last : last
            sentences.append("No \(list).")
        }
        if section.isFirst, skippedRows.isEmpty { sentences.append("Nothing was skipped.") }
        guard !sentences.isEmpty else { return "" }
        let details = Markup.details(rules.count > 1 ? "Definitions" : "Definition", rules)
        return "<div class=\"table wide\"><p>\(sentences.joined(separator: " "))</p>\(details)</div>\n"
    }

    // MARK: Tables

    private var standStills: String {
        let rows = section.standStills.map { still in
            [
                section.time.element(still.start), NumberText.duration(still.milliseconds),
                NumberText.length(still.cep50), NumberText.length(still.cep95), NumberText.count(still.fixes),
                NumberText.place(still.latitude, still.longitude),
            ]
        }
        return Markup.table(
            "Where it stood still",
            found(part.standStills.longest.count, StandStills.listed, "stand-still", "the longest"),
            definition: Self.standStillRule, columns: ["From", "For", "CEP50", "CEP95", "Fixes", "Mean position"],
            rows: rows, isWide: true)
    }

    private var gaps: String {
        guard let threshold = part.intervals.gapThreshold else { return "" }
        let rows = part.intervals.gaps.map { gap in
            [section.time.element(gap.start), NumberText.duration(gap.milliseconds)]
        }
        return Markup.table(
            "Gaps", found(part.intervals.gapCount, Intervals.listedGaps, "gap", "the longest"),
            definition: Self.gapRule(threshold), columns: ["From", "For"], rows: rows)
    }

    private var outliers: String {
        let rows = part.outliers.farthest.kept.map { outlier in
            [
                section.time.element(outlier.time), NumberText.length(outlier.distance),
                NumberText.place(outlier.latitude, outlier.longitude),
            ]
        }
        return Markup.table(
            "Outliers", found(part.outliers.farthest.count, Outliers.listed, "outlier", "the farthest"),
            definition: Self.outlierRule, columns: ["At", "Off by", "Position"], rows: rows)
    }

    private var skipped: String {
        Markup.table("Skipped, and why", "In the whole log.", columns: ["Count", "What"], rows: skippedRows)
    }

    private var skippedRows: [[String]] {
        guard section.isFirst else { return [] }
        var rows = section.log.skipped.map { [NumberText.count($0.count), Markup.escaped($0.text)] }
        let statistics = section.log.statistics
        let explained = section.log.skipped.filter {
            ["unreadableTimes", "sharedTimes", "reversedTimes"].contains($0.key)
        }
        let untimed = Int64(clamping: statistics.untimedFixes) - explained.reduce(0) { $0 + Int64(clamping: $1.count) }
        if untimed > 0 {
            rows.append([
                NumberText.count(UInt64(untimed)),
                "fixes without a time: on the map and in the distance, but in no chart",
            ])
        }
        if statistics.droppedParts > 0 {
            rows.append([
                NumberText.count(statistics.droppedFixes),
                "fixes of \(statistics.droppedParts) further parts, where time went back or leapt by weeks",
            ])
        }
        return rows
    }

    private func found(_ count: UInt64, _ listed: Int, _ name: String, _ which: String) -> String {
        switch count {
        case ...UInt64(listed): ""
        default: "There are \(NumberText.count(count)) \(name)s; \(which) \(listed) are listed."
        }
    }
}
