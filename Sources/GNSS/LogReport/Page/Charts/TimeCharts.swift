/// The quantities of a section over time, one chart below the other with a common time axis.
struct TimeCharts {
    /// The width of a chart in its own units. Time runs from left to right.
    static let width = 10_000.0
    /// The height of a chart in its own units.
    static let height = 1000.0

    private let section: ReportSection
    private let span: ClosedRange<Int64>
    private let timeline: LogTimeline

    /// Creates the charts, or returns `nil` if the fixes have no time or all have the same time.
    ///
    /// - Parameter columns: The maximum number of points in time.
    init?(_ section: ReportSection, columns: Int) {
        guard let span = section.span else { return nil }
        self.section = section
        self.span = span
        timeline = section.part.timeline.reduced(to: columns)
        guard timeline.buckets.count > 1 else { return nil }
    }

    /// The number of milliseconds from left to right.
    private var length: Double { Double(span.upperBound - span.lowerBound) }

    var html: String {
        let signal =
            section.isUseKnown
            ? "Signal of the used satellites" : section.part.fixes > 0 ? "Signal of all satellites" : "Signal"
        let charts = [
            chart("speed", "Speed", "m/s", [.speed], leastSpan: 2, fromZero: true),
            chart("altitude", "Altitude above mean sea level", "m", [.altitude], leastSpan: 10, fromZero: false),
            chart("accuracy", "Horizontal accuracy, 68 %", "m", [.accuracy], leastSpan: 2, fromZero: true),
            chart(
                "satellites", "Satellites", "", [.satellitesUsed, .satellitesInView], leastSpan: 4, fromZero: true),
            chart("signal", signal, "dB-Hz", [.signal], leastSpan: 10, fromZero: false),
        ]
        return """
            <div class="charts" tabindex="0" role="group" aria-label="Charts over time">
            <div class="controls" hidden><button type="button" data-do="in" title="Zoom in (+)">+</button>\
            <button type="button" data-do="out" title="Zoom out (−)">−</button>\
            <button type="button" data-do="left" title="Earlier (←)">←</button>\
            <button type="button" data-do="right" title="Later (→)">→</button>\
            <button type="button" data-do="all" title="The whole time (0)">All</button>\
            \(fitButton)\
            <output class="when"></output></div>
            \(charts.compactMap(\.html).joined())<div class="x">\(timeLabels)</div>
            <p class="rule">Time in \(section.time.zone). Lines are means, shades go from the least to the greatest \
            value.\(gapLegend)\(useRemark)\(Self.missing(charts))\
            <span class="hint" hidden> Drag to move; pinch, double click or Ctrl + wheel to zoom.</span></p>
            </div>

            """
    }

    private var useRemark: String {
        section.isUseKnown || section.part.fixes == 0 || section.part.sky.satellites.isEmpty
            ? "" : " The log does not say which satellites were used."
    }

    /// The charts without values in the log, in one sentence.
    private static func missing(_ charts: [(title: String, html: String?)]) -> String {
        let titles = charts.filter { $0.html == nil }.map { $0.title.prefix(1).lowercased() + $0.title.dropFirst() }
        return titles.isEmpty ? "" : " Not in the log: \(titles.joined(separator: ", "))."
    }

    /// The button that restricts the track to the time of the charts.
    private var fitButton: String {
        guard section.part.fixes > 0 else { return "" }
        return "<button type=\"button\" data-do=\"fit\" aria-pressed=\"true\" "
            + "title=\"The track shows the time of the charts alone (f)\">Fit track</button>"
    }

    // MARK: Time

    private func x(_ time: Int64) -> Double { Double(time - span.lowerBound) / length * Self.width }

    private var step: Int64 { AxisTicks.timeStep(over: span.upperBound - span.lowerBound, count: 7) }

    private var timeTicks: [Int64] {
        let offset = section.time.milliseconds(0)
        let first = (span.lowerBound + offset + step - 1) / step * step - offset
        return Array(stride(from: first, through: span.upperBound, by: Int64.Stride(step)))
    }

    private var timeLabels: String {
        // The end of a label at the margin would extend beyond the page.
        timeTicks.filter { x($0) < 0.96 * Self.width }.enumerated().map { index, time in
            let left = Markup.percent(x(time) / Self.width)
            let kind = index % 2 == 1 ? " class=\"second\"" : ""
            return "<span\(kind) style=\"left:\(left)\">\(section.time.tick(time, step: step))</span>"
        }.joined()
    }

    private var timeGrid: String { timeTicks.map { "M\(Int(x($0))) 0v1000" }.joined() }

    private var gapLegend: String {
        switch section.part.intervals.gapCount {
        case 0: ""
        case ...UInt64(Intervals.listedGaps): " Coloured: gaps."
        default: " Coloured: the longest gaps."
        }
    }

    private var gaps: String {
        section.part.intervals.gaps.map { gap in
            "<rect class=\"gap\" x=\"\(Int(x(gap.start)))\" y=\"0\" height=\"1000\" "
                + "width=\"\(max(1, Int(x(gap.end) - x(gap.start))))\"/>"
        }.joined()
    }

    // MARK: Charts

    private func chart(
        _ name: String, _ title: String, _ unit: String, _ quantities: [Quantity], leastSpan: Double, fromZero: Bool
    ) -> (title: String, html: String?) {
        var extent = Extent()
        for quantity in quantities {
            for bucket in timeline.buckets { extent.merge(bucket[quantity]) }
        }
        guard extent.count > 0 else { return (title, section.part.fixes > 0 ? nil : "") }
        // Some space, so that no curve runs along the edge.
        let middle = Double(extent.high + extent.low) / 2
        let reach = max(Double(extent.high - extent.low) * 1.04, leastSpan) / 2
        let low = fromZero ? 0 : middle - reach
        let high = fromZero ? max(Double(extent.high) * 1.04, leastSpan) : middle + reach
        let axis = AxisTicks.axis(from: low, to: high)
        let scale = Scale(low: axis.ticks.first!, high: axis.ticks.last!)
        let digits = axis.step >= 1 ? 0 : axis.step >= 0.1 ? 1 : 2
        var labels = ""
        var grid = ""
        for tick in axis.ticks {
            let share = (tick - scale.low) / (scale.high - scale.low)
            labels += "<span style=\"bottom:\(Markup.percent(share))\">\(NumberText.fixed(tick, digits))</span>"
            grid += "M0 \(scale.y(tick))h10000"
        }
        let curves = quantities.reversed().map { quantity in
            let curve = Curve(timeline, quantity, breakAfter: breakAfter, x: { x($0) }, y: { scale.y($0) })
            let kind = quantity == .satellitesInView ? " other" : ""
            return "<path class=\"band\(kind)\" d=\"\(curve.band)\"/><path class=\"line\(kind)\" d=\"\(curve.line)\"/>"
        }.joined()
        let isUseDrawn = timeline.buckets.contains { $0[.satellitesUsed].count > 0 }
        let legend =
            quantities.count > 1 && !isUseDrawn
            ? "in view"
            : quantities.count > 1
                ? "<span class=\"key line\"></span>used <span class=\"key line other\"></span>in view" : unit
        let html = """
            <figure class="chart" data-name="\(name)"><figcaption><b>\(title)</b> <span class="unit">\(legend)</span>\
            <output></output></figcaption><div class="plot"><div class="y">\(labels)</div>\
            <svg viewBox="0 0 10000 1000" preserveAspectRatio="none" role="img" aria-label="\(title) over time">\
            <path class="grid" d="\(grid)"/><path class="grid time" d="\(timeGrid)"/>\(gaps)\(curves)</svg>\
            <div class="cursor"></div></div></figure>

            """
        return (title, html)
    }

    /// The time without values, in milliseconds, that interrupts a line.
    private var breakAfter: Int64 { max(section.part.intervals.gapThreshold ?? 0, 1000) + timeline.width }
}

/// A linear scale from numbers to the height of a chart.
private struct Scale {
    let low: Double
    let high: Double

    func y(_ value: Double) -> Int { Int(((high - value) / (high - low) * TimeCharts.height).rounded()) }
}
