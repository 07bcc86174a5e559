internal import Glibc

/// A line with the accuracy and its recent course on a logarithmic scale from 1 m to 10 km. It is drawn below the last
/// line of a terminal, and cleared before the next line.
package struct AccuracyMapLine {
    /// The width from one power of ten to the next, in columns.
    private static let decadeWidth = 9
    /// The number of accuracies that are kept.
    private static let maximumCount = 30

    let capabilities: TerminalCapabilities
    private var accuracies: [Double] = []
    private var isShown = false

    init(_ capabilities: TerminalCapabilities) { self.capabilities = capabilities }

    /// A line for standard output, or `nil` if that is not a terminal that can clear a line.
    package static var ofOutput: AccuracyMapLine? {
        let capabilities = TerminalCapabilities.current
        return Terminal.isOutputTerminal && capabilities.hasCursor ? AccuracyMapLine(capabilities) : nil
    }

    /// Returns the text that clears the line, if it was drawn.
    package mutating func cleared() -> String {
        defer { isShown = false }
        return isShown ? "\r\u{1B}[K" : ""
    }

    /// Returns the line for an accuracy in metres; empty if it is unknown.
    package mutating func shown(_ metres: Double?, columns: Int) -> String {
        guard let metres, metres.isFinite, metres >= 0 else { return "" }
        accuracies = accuracies.suffix(Self.maximumCount - 1) + [metres]
        let row = row(metres, columns: columns - 1)
        isShown = true
        return row.drawn(capabilities)
    }

    private func row(_ metres: Double, columns: Int) -> TextRow {
        let glyphs = Glyphs.of(capabilities)
        var scale = Array(repeating: glyphs.rule, count: 4 * Self.decadeWidth + 1)
        for decade in 0...4 { scale[decade * Self.decadeWidth] = "|" }
        let place = (log10(max(1, metres)) * Double(Self.decadeWidth)).rounded()
        let index = min(scale.count - 1, Int(min(place, 1e3)))
        var row = TextRow("accuracy \(Decimal.accuracy(metres))  ")
        guard row.columns + scale.count + 12 <= columns else {
            return TextRow(DisplayText.shortened(row.text, columns: max(1, columns)))
        }
        row.append("1 m ", .hint)
        row.append(String(scale[..<index]), .hint)
        row.append(glyphs.now, .good)
        row.append(String(scale[(index + 1)...]), .hint)
        row.append(" 10 km", .hint)
        let history = Sparkline(values: accuracies.suffix(max(0, columns - row.columns - 2)), leastRange: 2)
        row.append("  " + history.text(glyphs), .good)
        return row
    }
}
