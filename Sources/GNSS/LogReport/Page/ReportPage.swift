/// The report: a single HTML file that needs no other file, no network, and no script to be read.
package struct ReportPage {
    /// The maximum number of logs. Together with the limits on the drawings, it keeps the page below 5 MB.
    package static let maximumLogs = 8
    /// The number of points for the charts of all sections together.
    private static let columns = 4096
    /// The least number of points of a chart.
    private static let leastColumns = 256

    private let logs: [ReportLog]

    /// Creates the report of logs, in this order, at most ``maximumLogs`` of them.
    package init(_ logs: [ReportLog]) { self.logs = logs }

    /// The content of the file.
    package var html: String {
        let sections = logs.flatMap(Self.sections)
        let columns = max(Self.leastColumns, Self.columns / max(1, sections.count))
        let name = logs.count == 1 ? logs[0].name : "\(logs.count) logs"
        var html = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
            <title>\(Markup.escaped(name)): log report</title>
            <style>\(PageSources.style)</style></head>
            <body><header><h1>Log report</h1>\
            <button type="button" class="clock" aria-pressed="false" hidden>Local time</button></header>
            <main>

            """
        html += Self.contents(sections)
        for (index, section) in sections.enumerated() {
            html += Self.section(section, number: index + 1, columns: columns)
        }
        html +=
            "</main>\n<footer>Made by locationctl report. Accuracies are at 68 %. This page loads nothing and sends nothing."
            + "</footer>\n"
        html += Markup.data(ReportFigures.json(sections.filter { $0.part.fixes > 0 }), attributes: "id=\"figures\"")
        return html + "<script>\(PageSources.script)</script></body></html>\n"
    }

    private static func sections(_ log: ReportLog) -> [ReportSection] {
        if let acquisition = log.acquisition {
            return [
                ReportSection(heading: log.name, part: acquisition.part, log: log, time: log.time, isFirst: true)
            ]
        }
        let parts = log.statistics.parts
        return parts.enumerated().map { index, part in
            let heading = parts.count > 1 ? "\(log.name), part \(index + 1) of \(parts.count)" : log.name
            return ReportSection(heading: heading, part: part, log: log, time: log.time, isFirst: index == 0)
        }
    }

    /// Links to the sections, if there are several.
    private static func contents(_ sections: [ReportSection]) -> String {
        guard sections.count > 1 else { return "" }
        let items = sections.enumerated().map { index, section in
            "<li><a href=\"#log-\(index + 1)\">\(Markup.escaped(section.heading))</a> "
                + "<span class=\"unit\">\(SectionSummary(section: section).line)</span></li>\n"
        }
        return "<nav aria-label=\"Contents\"><ol>\(items.joined())</ol></nav>\n"
    }

    private static func section(_ section: ReportSection, number: Int, columns: Int) -> String {
        let map = TrackMap(section, maximumPoints: columns)
        var html = "<section class=\"log\" id=\"log-\(number)\">\n\(SectionSummary(section: section).html)"
        html += map?.html ?? ""
        let charts = TimeCharts(section, columns: columns)
        html += charts?.html ?? ""
        html += SkyPlot(section, maximumPoints: max(8, columns / 64))?.html ?? ""
        html += SectionTables(section: section).html
        if charts != nil, let data = ChartData.json(section, map, columns: columns) {
            html += Markup.data(data, attributes: "class=\"data\"")
        }
        return html + "</section>\n"
    }
}
