internal import LocationModel
internal import LocationProtocol

/// The receivers: state, rate, the reason for the choice, and what was dropped.
enum ReceiverPanel {
    /// Returns at most `limit` receivers, each with a second line where there is something to explain, if that makes
    /// at most `rows` rows or if there is room for more than two receivers.
    static func rows(_ context: ScreenContext, limit: Int, rows: Int) -> [TextRow] {
        guard context.state.management == .open else { return [] }
        let receivers = context.state.receivers
        let title = context.title("RECEIVERS", receivers.count > limit ? [("\(receivers.count)", .hint)] : [])
        guard !receivers.isEmpty else {
            return [title, TextRow("None is plugged in and none is configured: see `locationctl doctor`.", .warning)]
        }
        let isLong = limit > 2 || rows > 2 * min(limit, receivers.count)
        let shown = receivers.sorted { $0.inUse && !$1.inUse }.prefix(limit)
        return [title] + shown.flatMap { lines($0, context, isLong: isLong) }
    }

    private static func lines(_ receiver: ReceiverSummary, _ context: ScreenContext, isLong: Bool) -> [TextRow] {
        var row = facts(receiver, context)
        var reasons = reasons(receiver)
        let isJammed = receiver.jamming?.isJammed == true
        let style = receiver.state == .lost || isJammed ? TextRow.Style.warning : .hint
        while let reason = reasons.first, row.columns + 2 + DisplayText.columns(reason) <= context.width {
            row.append("  " + reason, style)
            reasons.removeFirst()
        }
        guard !reasons.isEmpty else { return [row] }
        let rest = reasons.joined(separator: "; ")
        if isLong { return [row, TextRow("  " + beginning(of: rest, columns: context.width - 2), style)] }
        row.append("  " + beginning(of: rest, columns: context.width - row.columns - 2), style)
        return [row]
    }

    /// Returns the first words of a text: the reason says more than the figures after it.
    private static func beginning(of text: String, columns: Int) -> String {
        DisplayText.columns(text) <= columns ? text : DisplayText.wrapped(text, columns: columns - 1)[0] + "…"
    }

    private static func facts(_ receiver: ReceiverSummary, _ context: ScreenContext) -> TextRow {
        var row = TextRow(receiver.inUse ? "* " : "  ", .good)
        row.append(
            DisplayText.shown(receiver.name), width: context.width < 100 ? 12 : min(30, context.width / 5), .title)
        row.append("  ")
        let state = receiver.detecting == true ? "detecting" : ReceiverText.state(receiver)
        let style: TextRow.Style = receiver.state == .lost ? .warning : receiver.state == .running ? .good : .plain
        row.append(state, width: receiver.progress == nil ? 10 : 13, style)
        var parts: [String] = []
        if let rate = context.state.rates.rate(of: receiver.name) {
            parts.append(Decimal.text(rate, digits: 1, unit: "/s"))
        }
        if receiver.state == .running {
            parts += [Decimal.accuracy(receiver.horizontalAccuracy)].filter { !$0.isEmpty }
            if context.width >= 100, let count = receiver.satellitesUsed { parts.append("\(count) satellites") }
        }
        row.append(parts.joined(separator: " "))
        return row
    }

    /// Returns the interference, the reasons why the receiver is in use, lost or without a location, its peculiarities,
    /// and what was dropped.
    private static func reasons(_ receiver: ReceiverSummary) -> [String] {
        [
            receiver.jamming?.isJammed == true ? "jamming: " + ReceiverText.jamming(receiver.jamming) : "",
            receiver.inUse && receiver.choice != nil ? "in use: " + ReceiverText.choice(receiver.choice) : "",
            receiver.message.map(DisplayText.shown) ?? ReceiverText.condition(receiver),
        ].filter { !$0.isEmpty } + ReceiverText.peculiarities(receiver)
            + [ReceiverText.dropped(receiver.dropped ?? [])].filter { !$0.isEmpty }
    }
}
