internal import LocationctlSupport

/// The last lines: the message about the latest event, and the keys that have an effect now.
enum HintsPanel {
    static func rows(_ context: ScreenContext) -> [TextRow] {
        // The prompt's panel has its own line for the message.
        guard let notice = context.state.notice, context.state.view != .prompts else { return keys(context) }
        return TextRow.wrapped(notice, context.width, .warning).prefix(2) + keys(context)
    }

    private static func keys(_ context: ScreenContext) -> [TextRow] {
        let hints = hints(context)
        let lengths = hints.map { DisplayText.columns($0.key) + $0.effect.utf8.count + 1 }
        // A line of the screen is worth more than wide gaps.
        let gap = lengths.reduce(0, +) + 3 * (hints.count - 1) <= context.width ? 3 : 2
        var rows = [TextRow()]
        for ((key, effect), length) in zip(hints, lengths) {
            if rows[rows.count - 1].columns > 0, rows[rows.count - 1].columns + gap + length > context.width {
                rows.append(TextRow())
            }
            if rows[rows.count - 1].columns > 0 {
                rows[rows.count - 1].append(String(repeating: " ", count: gap))
            }
            rows[rows.count - 1].append(key, .title)
            rows[rows.count - 1].append(" " + effect, .hint)
        }
        return rows
    }

    private static func hints(_ context: ScreenContext) -> [(key: String, effect: String)] {
        let state = context.state
        if state.view == .overview, state.isFilterOpen { return [("Enter", "keep the filter"), ("Esc", "all apps")] }
        let decisions = [("x", "revoke"), ("r", "reduce"), ("a", "allow")]
        switch state.view {
        case .prompts: return [("Esc", "back, without an answer"), ("n", "no answer"), ("q", "quit")]
        case .question: return [("Esc", "back, nothing changes")]
        case .help: return [("Esc", "back"), ("q", "quit")]
        case .details:
            return [(context.glyphs.keys, "other app")] + decisions + [("Esc", "back"), ("?", "help"), ("q", "quit")]
        case .overview:
            guard state.isConnected else { return [("q", "quit")] }
            let end = [("?", "help"), ("q", "quit")]
            guard !state.apps.isEmpty else { return end }
            let filter = context.width < 90 ? [] : [("/", "filter")]
            let all = state.filter.isEmpty ? [] : [("Esc", "all apps")]
            return [(context.glyphs.keys, "choose"), ("Enter", "details")] + decisions + filter + all + end
        }
    }
}
