internal import NMEA

/// The heading and the most important figures of a section.
struct SectionSummary {
    let section: ReportSection

    private var part: LogPart { section.part }

    var html: String {
        let tiles = tiles.map { name, value, detail in
            let detail = detail.isEmpty ? "" : "<dd class=\"detail\">\(detail)</dd>"
            return "<div><dt>\(name)</dt><dd>\(value)</dd>\(detail)</div>"
        }
        return """
            <h2>\(Markup.escaped(section.heading))</h2>
            <p class="sub">\(line)</p>
            \(part.fixes == 0 && part.times != nil ? AcquisitionText(part: part).html : "")\
            <dl class="tiles">\(tiles.joined())</dl>

            """
    }

    /// Format and time in one line of HTML.
    var line: String { facts.joined(separator: " · ") }

    private var facts: [String] {
        var facts = [section.log.format.rawValue]
        if part.fixes == 0 { facts.append("there is no fix in this log") }
        if let times = part.times {
            let (start, end) = (section.time.second(times.lowerBound), section.time.second(times.upperBound))
            let isOneDay = start.prefix(10) == end.prefix(10) && section.time.dateOffset != nil
            let until = section.time.element(times.upperBound, text: isOneDay ? String(end.dropFirst(11)) : end)
            facts.append("\(section.time.element(times.lowerBound)) to \(until) \(section.time.zone)")
            if part.fixes == 0 {
                facts.append("by the receiver’s own clock")
            } else if section.time.dateOffset == nil {
                facts.append("no date in the log")
            }
        } else if part.fixes > 0 {
            facts.append("no times in the log")
        }
        if part.simulated > 0 {
            facts.append("<strong>\(NumberText.share(part.simulated, of: part.fixes)) simulated</strong>")
        }
        return facts
    }

    private typealias Tile = (name: String, value: String, detail: String)

    private var tiles: [Tile] {
        var tiles: [Tile] = []
        if let times = part.times {
            tiles.append(("Duration", NumberText.duration(times.upperBound - times.lowerBound), ""))
        }
        tiles.append(("Fixes", NumberText.count(part.fixes), qualities))
        guard part.fixes > 0 else { return tiles + AcquisitionText(part: part).tiles }
        tiles.append(
            (
                "Distance", NumberText.length(part.odometer.distance), "moves under \(Int(Odometer.step)) m not counted"
            ))
        if let mean = part.total[.speed].mean {
            let greatest = Double(part.total[.speed].high)
            tiles.append(
                (
                    "Greatest speed", "\(NumberText.significant(greatest)) m/s",
                    "\(NumberText.significant(greatest * 3.6)) km/h; mean \(NumberText.significant(mean)) m/s"
                ))
        }
        if let median = part.accuracies.quantile(0.5), let most = part.accuracies.quantile(0.95) {
            let value = NumberText.length(Double(median) / 1000)
            tiles.append(("Accuracy, median", value, "95 % at most \(NumberText.length(Double(most) / 1000))"))
        }
        if let rate { tiles.append(rate) }
        tiles.append(firstFix)
        if let still = section.standStills.max(by: { $0.milliseconds < $1.milliseconds }) {
            let detail = "standing still for \(NumberText.duration(still.milliseconds))"
            tiles.append(("CEP50", NumberText.length(still.cep50), detail))
            tiles.append(("CEP95", NumberText.length(still.cep95), detail))
        }
        let gaps = part.intervals.gapCount
        let longest = part.intervals.gaps.map(\.milliseconds).max()
        tiles.append(("Gaps", NumberText.count(gaps), longest.map { "the longest \(NumberText.duration($0))" } ?? ""))
        tiles.append(("Outliers", NumberText.count(part.outliers.farthest.count), ""))
        return tiles
    }

    private var rate: Tile? {
        guard let median = part.intervals.median, median > 0, let spread = part.intervals.spread else { return nil }
        let jitter =
            spread.low == spread.high
            ? "90 % of the intervals are \(NumberText.duration(median))"
            : "90 % of the intervals from \(NumberText.duration(spread.low)) to \(NumberText.duration(spread.high))"
        return ("Update rate", "\(NumberText.significant(1000 / Double(median))) Hz", jitter)
    }

    private var firstFix: Tile {
        switch section.timeToFirstFix {
        case nil: ("Time to first fix", "–", section.log.format == .nmea ? "not in this part" : "not in this format")
        case 0: ("Time to first fix", "0 s", "the log begins with a fix")
        case let time?: ("Time to first fix", NumberText.duration(time), "after the log’s first time stamp")
        }
    }

    private var qualities: String {
        let names: [(FixQuality, String)] = [
            (.differential, "differential"), (.rtkFixed, "RTK fixed"), (.rtkFloat, "RTK float"),
            (.precise, "precise"), (.estimated, "dead reckoning"), (.manual, "manual"), (.simulated, "simulated"),
        ]
        let qualities = section.log.statistics.qualities
        let total = qualities.values.reduce(0, +)
        return names.compactMap { quality, name in
            qualities[quality].map { "\(NumberText.share($0, of: total)) \(name)" }
        }.joined(separator: ", ")
    }
}
