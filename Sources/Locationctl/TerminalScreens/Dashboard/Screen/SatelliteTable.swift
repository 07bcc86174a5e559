internal import LocationModel
internal import LocationctlSupport

/// Each satellite with its elevation, its azimuth and its signal, in as many columns as fit.
enum SatelliteTable {
    private static let gap = 2
    /// The width of an entry without its bar: `G07 45 120 41 `.
    private static let figuresWidth = 14
    private static let leastBar = 3
    private static let greatestBar = 10

    /// Returns at most `rows` rows: by constellation, satellites used in the fix first.
    static func rows(_ groups: [SatelliteGroup], _ context: ScreenContext, width: Int, rows: Int) -> [TextRow] {
        let satellites = groups.flatMap { $0.used + $0.unused }
        let height = max(1, rows - 1)
        let most = max(1, (width + gap) / (figuresWidth + leastBar + gap))
        let columns = min(most, (satellites.count + height - 1) / height)
        let bar = max(0, min(greatestBar, (width + gap) / columns - gap - figuresWidth))
        let step = figuresWidth + bar + gap
        let places = height * columns
        // If there are too many, the last place shows the number of the rest.
        let shown = satellites.count > places ? Array(satellites.prefix(places - 1)) : satellites
        var lines = [TextRow](repeating: TextRow(), count: 1 + min(height, satellites.count))
        for column in 0..<columns { lines[0].append(TextRow("SAT EL  AZ dB", .hint), at: column * step) }
        for (index, satellite) in shown.enumerated() {
            lines[1 + index % height].append(
                entry(satellite, context, bar: bar), at: index / height * step)
        }
        if shown.count < satellites.count {
            // Translators: The number of satellites that are not shown.
            let rest = translated("{count} more", ["count": "\(satellites.count - shown.count)"])
            lines[height].append(TextRow(rest, .hint), at: (columns - 1) * step)
        }
        return lines
    }

    private static func entry(_ satellite: Satellite, _ context: ScreenContext, bar: Int) -> TextRow {
        let style = TextRow.Style.satellite(satellite.constellation, isUsed: satellite.used)
        var row = TextRow(SatelliteGroups.name(of: satellite), style)
        for (value, width) in [(satellite.elevation, 3), (satellite.azimuth, 4), (satellite.signalStrength, 3)] {
            let known = value.flatMap { $0.isFinite && abs($0) < 1000 ? $0 : nil }
            row.append(known.map { Decimal.text($0, digits: 0) } ?? "-", rightAlignedTo: width)
        }
        row.append(" ")
        guard let strength = satellite.signalStrength, strength.isFinite, strength > 0 else { return row }
        let share = (strength - SignalPanel.weakest) / (SignalPanel.strongest - SignalPanel.weakest)
        // A strength may be any number, and Int(_:) of a number outside its range ends the program.
        let length = Int((min(1, max(0, share)) * Double(bar)).rounded())
        row.append(String(repeating: context.glyphs.levels.last!, count: min(bar, max(1, length))), style)
        return row
    }
}
