internal import ArgumentParser
internal import AuthorizationPolicy
internal import ForeignText

/// The text formats of metrics.
enum MetricsText: String, ExpressibleByArgument, CaseIterable {
    /// OpenMetrics 1.0.0.
    case openmetrics
    /// Prometheus's text format 0.0.4, which node_exporter reads from files and `promtool check metrics` checks. In it,
    /// a counter's metadata have the whole name, and there are no units.
    case prometheus

    /// The maximum length of a label's value before it is escaped, in bytes of UTF-8. Attack: a user decides about a
    /// thousand programs with paths of 4,096 bytes, and Prometheus would keep each in memory for hours.
    static let maximumLabelBytes = 512

    /// Returns the text of the families that have samples.
    func text(_ families: [MetricFamily]) -> String {
        let parts = families.filter { !$0.samples.isEmpty }.map(text)
        return parts.joined() + (self == .openmetrics ? "# EOF\n" : "")
    }

    private func text(_ family: MetricFamily) -> String {
        let sampled = family.kind == .counter ? family.name + "_total" : family.name
        let name = self == .openmetrics ? family.name : sampled
        var lines = ["# TYPE \(name) \(family.kind.rawValue)"]
        if self == .openmetrics, let unit = family.unit { lines.append("# UNIT \(name) \(unit)") }
        lines.append("# HELP \(name) \(family.help)")
        lines += family.samples.map { sampled + Self.labels(of: $0) + " " + Self.number($0.value) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns the labels of a sample in braces, or an empty text.
    static func labels(of sample: MetricFamily.Sample) -> String {
        guard !sample.labels.isEmpty else { return "" }
        return "{" + sample.labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    /// Escapes a text for the value of a label: OpenMetrics 1.0.0, section 3.1, ABNF `escaped-string`.
    ///
    /// Scalars are escaped, not characters, and terminal controls are replaced, as everywhere. Attack: an app's name
    /// ends the value with a quotation mark and the line with a line feed, and continues with a metric of its own: that
    /// locationd is down, or that another app gets nothing.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in ShownText.shortened(text, toBytes: maximumLabelBytes).unicodeScalars {
            switch scalar {
            case "\n": escaped += "\\n".unicodeScalars
            case "\"": escaped += "\\\"".unicodeScalars
            case "\\": escaped += "\\\\".unicodeScalars
            default: escaped.append(ForeignText.isHarmless(scalar) ? scalar : "\u{FFFD}")
            }
        }
        return String(escaped)
    }

    private static func number(_ value: Double) -> String { Int64(exactly: value).map(String.init) ?? "\(value)" }
}
