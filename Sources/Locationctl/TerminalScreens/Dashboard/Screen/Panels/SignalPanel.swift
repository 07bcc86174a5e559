internal import LocationModel
internal import LocationctlSupport

/// The signal strengths of the satellites: a bar for each, by constellation, satellites used in the fix first.
enum SignalPanel {
    /// The range of the bars, in dB-Hz: from barely tracked to a clear sky.
    static let weakest = 15.0
    static let strongest = 50.0
    private static let labelWidth = 16

    /// Returns at most `rows` rows. Constellations are stacked or, in a low and wide panel, in pairs.
    static func rows(_ context: ScreenContext, width: Int, rows: Int, inPairs isPaired: Bool = false) -> [TextRow] {
        let satellites = SatelliteGroups.shown(context.state)
        let groups = SatelliteGroups.of(satellites)
        // Translators: Title of a panel: the strengths of the satellites' signals. Keep it short.
        let name = translated("SIGNALS")
        guard !groups.isEmpty else {
            let text =
                context.state.followsReceivers
                ? translated("No satellites reported.") : translated("No receiver is open: no app needs it.")
            let isKnown = context.state.management == .open
            return [context.title(name, width: width)]
                + (isKnown ? TextRow.wrapped(text, width, .hint).prefix(rows - 1) : [])
        }
        let used = satellites.filter(\.used).count
        // Translators: The fix uses {used} of the {count} satellites that the receiver sees. Keep it short.
        let remark = translated("{used} of {count} used", ["used": "\(used)", "count": "\(satellites.count)"])
        let lines =
            context.isLarge
            ? SatelliteTable.rows(groups, context, width: width, rows: rows - 1)
            : isPaired
                ? inPairs(groups, context, width: width) : below(groups, context, width: width, rows: rows - 1)
        var shown = Array(lines.prefix(rows - 1))
        if lines.count > rows - 1, !shown.isEmpty {
            shown[shown.count - 1] = TextRow(
                // Translators: A constellation is a satellite system, such as Galileo.
                DisplayText.shortened(translated("more constellations: enlarge the window"), columns: width), .hint)
        }
        return [context.title(name, [(remark, .hint)], width: width)] + shown
    }

    /// Returns the constellations stacked, with bars as high as possible.
    private static func below(
        _ groups: [SatelliteGroup], _ context: ScreenContext, width: Int, rows: Int
    ) -> [TextRow] {
        let height = max(1, min(3, (rows + 1) / groups.count - 1))
        let gap = groups.count * (height + 1) - 1 <= rows && height > 1 ? [TextRow()] : []
        return groups.enumerated().flatMap { index, group in
            (index > 0 ? gap : []) + lines(of: group, context, width: width, height: height)
        }
    }

    private static func inPairs(_ groups: [SatelliteGroup], _ context: ScreenContext, width: Int) -> [TextRow] {
        let half = (width - 2) / 2
        return stride(from: 0, to: groups.count, by: 2).map { first in
            var row = TextRow()
            for index in first..<min(first + 2, groups.count) {
                row.append(
                    lines(of: groups[index], context, width: half, height: 1)[0], at: (index - first) * (half + 2))
            }
            return row
        }
    }

    private static func lines(
        of group: SatelliteGroup, _ context: ScreenContext, width: Int, height: Int
    ) -> [TextRow] {
        (0..<height).map { line in
            var row = TextRow()
            // The label is at the foot of the bars.
            if line == height - 1 {
                row.append(
                    "\(SatelliteGroups.letter(of: group.constellation)) ", .satellite(group.constellation, isUsed: true)
                )
                row.append("\(group.name)", width: 8)
                row.append("\(group.used.count)/\(group.satellites.count)", width: labelWidth - 10, .hint)
            }
            row.pad(to: labelWidth)
            let rest = width - labelWidth
            let used = Array(group.used.prefix(rest))
            let unused = Array(group.unused.prefix(max(0, rest - used.count - 1)))
            for (satellites, isUsed) in [(used, true), (unused, false)] where !satellites.isEmpty {
                if !isUsed { row.append(" ") }
                let text = satellites.map { cell($0, row: height - 1 - line, of: height, context.glyphs) }
                row.append(String(text), .satellite(group.constellation, isUsed: isUsed))
            }
            return row
        }
    }

    /// Returns the character of a bar in a row, counted from the foot of the bar.
    private static func cell(_ satellite: Satellite, row: Int, of height: Int, _ glyphs: Glyphs) -> Character {
        guard let strength = satellite.signalStrength, strength.isFinite, strength > 0 else {
            return row == 0 ? glyphs.horizon : " "
        }
        let count = glyphs.levels.count
        let share = (strength - weakest) / (strongest - weakest)
        let level = max(1, min(count * height, Int((share * Double(count * height)).rounded(.up))))
        let here = level - row * count
        return here <= 0 ? " " : glyphs.levels[min(count, here) - 1]
    }
}
