internal import LocationctlSupport

/// The position, the sky and the signals: side by side, or with the signals below in a narrow window.
enum UpperPanels {
    /// The gap between two panels, in columns.
    private static let gap = 2
    /// The width of a position with short sparklines.
    private static let positionWidth = 34
    private static let leastSignalsWidth = 22

    /// Returns the panels in `rows` rows or, in a narrow window, a few more.
    static func rows(_ context: ScreenContext, rows: Int) -> [TextRow] {
        // Satellites come from the management socket.
        if case .failed = context.state.management {
            return PositionPanel.rows(context, width: min(70, context.width), rows: rows)
        }
        // In print, or to a screen reader, an empty circle means nothing.
        if context.isPrinted, SatelliteGroups.shown(context.state).isEmpty {
            return PositionPanel.rows(context, width: min(70, context.width), rows: rows)
        }
        let sky = TerminalSkyPlot.width(rows: rows - 1)
        let rest = context.width - sky - gap
        let isWide = rest - gap - leastSignalsWidth >= positionWidth
        let position = isWide ? max(positionWidth, min(70, (rest - gap) * 56 / 100)) : rest
        var lines = PositionPanel.rows(context, width: position, rows: rows)
        lines = joined(lines, TerminalSkyPlot.rows(context, width: sky, rows: rows), at: position + gap)
        let signals = isWide ? rest - position - gap : context.width
        guard isWide else { return lines + SignalPanel.rows(context, width: signals, rows: 5, inPairs: true) }
        return joined(
            lines, SignalPanel.rows(context, width: signals, rows: rows), at: position + sky + 2 * gap)
    }

    private static func joined(_ left: [TextRow], _ right: [TextRow], at column: Int) -> [TextRow] {
        (0..<max(left.count, right.count)).map { index in
            var row = left.indices.contains(index) ? left[index] : TextRow()
            if right.indices.contains(index) { row.append(right[index], at: column) }
            return row
        }
    }
}
