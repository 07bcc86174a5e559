/// The tables of a section: stand-stills, gaps, outliers, and skipped input.
struct SectionTables {
    let section: ReportSection

    private var part: LogPart { section.part }
    private var time: TimeText { section.time }

    var html: String {
        let found = part.fixes > 0 ? standStills + gaps + outliers : ""
        return "<div class=\"tables\">\n\(found)\(skipped)</div>\n"
    }

    private var standStills: String {
        let rule = """
            Stood still: every fix within \(Int(StandStills.radius)) m of their mean for at least \
            \(NumberText.duration(StandStills.leastDuration)), and slower than \(Int(StandStills.leastSpeed)) m/s, \
            without a gap of more than \(NumberText.duration(StandStills.longestGap)). CEP50 and CEP95 are the radii about the mean with 50 % and 95 % of the fixes. \
            \(found(part.standStills.longest.count, StandStills.listed, "stand-still", "the longest"))
            """
        let rows = section.standStills.map { still in
            [
                time.second(still.start), NumberText.duration(still.milliseconds), NumberText.length(still.cep50),
                NumberText.length(still.cep95), NumberText.count(still.fixes),
                NumberText.place(still.latitude, still.longitude),
            ]
        }
        return Markup.table(
            "Where it stood still", rule, columns: ["From", "For", "CEP50", "CEP95", "Fixes", "Mean position"],
            rows: rows,
            isWide: !rows.isEmpty)
    }

    private var gaps: String {
        guard let threshold = part.intervals.gapThreshold else { return "" }
        let rule = """
            Gap: longer than \(NumberText.duration(threshold)) without a fix (\(Intervals.gapFactor) times the median \
            interval, \(NumberText.duration(Intervals.leastGap)) at least). \
            \(found(part.intervals.gapCount, Intervals.listedGaps, "gap", "the longest"))
            """
        let rows = part.intervals.gaps.map { gap in
            [time.second(gap.start), NumberText.duration(gap.milliseconds)]
        }
        return Markup.table("Gaps", rule, columns: ["From", "For"], rows: rows)
    }

    private var outliers: String {
        let rule = """
            Outlier: farther from the last good fix than twice the reported speed and \
            \(Int(Outliers.speedAllowance)) m/s allow, beyond three times both accuracies; \(Outliers.limit) in a row \
            at most, then the position has really changed. They are in no other figure. \
            \(found(part.outliers.farthest.count, Outliers.listed, "outlier", "the farthest"))
            """
        let rows = part.outliers.farthest.kept.map { outlier in
            [
                time.second(outlier.time), NumberText.length(outlier.distance),
                NumberText.place(outlier.latitude, outlier.longitude),
            ]
        }
        return Markup.table("Outliers", rule, columns: ["At", "Off by", "Position"], rows: rows)
    }

    private var skipped: String {
        guard section.isFirst else { return "" }
        var rows = section.log.skipped.map { [NumberText.count($0.count), Markup.escaped($0.text)] }
        let statistics = section.log.statistics
        let explained = section.log.skipped.filter { ["unreadableTimes", "sharedTimes"].contains($0.key) }
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
        let rule = rows.isEmpty ? "Nothing was skipped." : "In the whole log."
        return Markup.table("Skipped, and why", rule, columns: ["Count", "What"], rows: rows)
    }

    private func found(_ count: UInt64, _ listed: Int, _ name: String, _ which: String) -> String {
        switch count {
        case 0: "There is none."
        case 1: "There is one."
        case ...UInt64(listed): "There are \(count)."
        default: "There are \(NumberText.count(count)) \(name)s; \(which) \(listed) are listed."
        }
    }
}
