internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The receivers: state, rate, the reason for the choice, and the dropped input. The receiver in use comes first, then
/// receivers with trouble, open receivers, and closed ones.
enum ReceiverPanel {
    /// Returns at most `rows` rows. The first receivers have a second line, if there is something to explain and room
    /// for it. The last line counts the receivers that are not shown.
    static func rows(_ context: ScreenContext, rows: Int) -> [TextRow] {
        guard context.state.management == .open, rows > 1 else { return [] }
        let receivers = sorted(context.state.receivers)
        // Translators: Title of a panel with the receivers of satellites' signals.
        let name = translated("RECEIVERS")
        guard !receivers.isEmpty else {
            let text = translated("None is plugged in and none is configured: see `locationctl doctor`.")
            return [context.title(name), TextRow(text, .warning)]
        }
        let isCut = receivers.count > rows - 1
        let shown = isCut ? Array(receivers.prefix(rows - 2)) : receivers
        var room = rows - 1 - shown.count - (isCut ? 1 : 0)
        let lines = shown.flatMap { receiver in
            let lines = Self.lines(receiver, context, isLong: room > 0)
            room -= lines.count - 1
            return lines
        }
        let title = context.title(name, isCut ? [("\(receivers.count)", .hint)] : [])
        return [title] + lines + (isCut ? [rest(receivers.dropFirst(shown.count), context)] : [])
    }

    /// Returns the receivers in display order. Equal receivers keep the order of the configuration.
    private static func sorted(_ receivers: [ReceiverSummary]) -> [ReceiverSummary] {
        receivers.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
    }

    private static func rank(_ receiver: ReceiverSummary) -> Int {
        if ReceiverText.isDelivering(receiver) { return 0 }
        if receiver.isInDoubt { return 1 }
        switch receiver.condition {
        case .nothing, .unreadable, .otherProtocol, .noPosition, .noDate: return 1
        case .noSatellites, .noFix, .undated, .fix, nil: break
        }
        return switch receiver.state {
        case .lost: 1
        case .running, .searching, .connecting, .resting: 2
        case .stopped: 3
        case .ended: 4
        }
    }

    /// Returns the line about the receivers that are not shown: `9 more: 4 running, 4 lost, 1 ended`.
    private static func rest(_ receivers: ArraySlice<ReceiverSummary>, _ context: ScreenContext) -> TextRow {
        var states: [(name: String, count: Int)] = []
        for receiver in receivers {
            let name = ReceiverText.word(receiver.state)
            if let index = states.firstIndex(where: { $0.name == name }) {
                states[index].count += 1
            } else {
                states.append((name, 1))
            }
        }
        let list = states.map { state in
            // Translators: The number of receivers in a state, such as "4 running".
            translated("{count} {state}", ["count": "\(state.count)", "state": state.name])
        }.joined(separator: translated(", "))
        let places: KeyValuePairs = ["count": "\(receivers.count)", "states": list]
        // Translators: The receivers that are not shown, like "9 more: 4 running, 5 lost".
        let text = "  " + translated("{count} more: {states}", places)
        let whole = "  " + translated("{count} more: {states}; see `locationctl receivers`", places)
        let isRoom = DisplayText.columns(whole) <= context.width
        return TextRow(DisplayText.shortened(isRoom ? whole : text, columns: context.width), .hint)
    }

    private static func lines(_ receiver: ReceiverSummary, _ context: ScreenContext, isLong: Bool) -> [TextRow] {
        var row = facts(receiver, context)
        var reasons = reasons(receiver)
        let style = receiver.state == .lost || receiver.isInDoubt ? TextRow.Style.warning : .hint
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

    /// Returns the first words of a text: the reason comes first, and says more than the figures after it.
    private static func beginning(of text: String, columns: Int) -> String {
        DisplayText.columns(text) <= columns ? text : DisplayText.wrapped(text, columns: columns - 1)[0] + "…"
    }

    private static func facts(_ receiver: ReceiverSummary, _ context: ScreenContext) -> TextRow {
        var row = TextRow(ReceiverText.isDelivering(receiver) ? "* " : "  ", .good)
        row.append(
            DisplayText.shown(receiver.name), width: context.width < 100 ? 12 : min(30, context.width / 5), .title)
        row.append("  ")
        // Translators: The state of a receiver: its baud rate is being detected. At most 14 columns.
        let detecting = translated("detecting")
        let state = receiver.detecting == true ? detecting : ReceiverText.state(receiver)
        let words = ReceiverStatus.allCases.map { ReceiverText.word($0) } + [detecting]
        let stateWidth = words.map { DisplayText.columns($0) }.reduce(10, max) + (receiver.progress == nil ? 0 : 3)
        let style: TextRow.Style = receiver.state == .lost ? .warning : receiver.state == .running ? .good : .plain
        row.append(state, width: max(stateWidth, DisplayText.columns(state)), style)
        var parts: [String] = []
        if let rate = context.state.rates.rate(of: receiver.name) {
            parts.append(Decimal.text(rate, digits: 1, unit: "/s"))
        }
        if receiver.state == .running {
            parts += [Decimal.accuracy(receiver.horizontalAccuracy)].filter { !$0.isEmpty }
            if context.width >= 100, let count = receiver.satellitesUsed {
                parts.append(ReceiverText.satellites(count))
            }
        }
        row.append(parts.joined(separator: " "))
        return row
    }

    /// Returns the doubts about the location, the interference, the reasons why the receiver is in use, lost or without
    /// a location, its peculiarities, and the dropped input.
    private static func reasons(_ receiver: ReceiverSummary) -> [String] {
        [
            ReceiverText.doubts(receiver.doubts),
            receiver.jamming?.isJammed == true
                // Translators: Interference at the antenna: the receiver's word for it, and a percentage.
                ? translated("jamming: {level}", ["level": ReceiverText.jamming(receiver.jamming)]) : "",
            ReceiverText.isDelivering(receiver) && receiver.choice != nil
                // Translators: Apps get this receiver's locations. The reason is like "the first with a fix".
                ? translated("in use: {reason}", ["reason": ReceiverText.choice(receiver.choice)]) : "",
            receiver.message.map(DisplayText.shown)
                ?? ([.stopped, .resting].contains(receiver.state)
                    ? ReceiverText.reason(receiver) : ReceiverText.condition(receiver)),
        ].filter { !$0.isEmpty } + ReceiverText.peculiarities(receiver)
            + [ReceiverText.dropped(receiver.dropped ?? [])].filter { !$0.isEmpty }
    }
}
