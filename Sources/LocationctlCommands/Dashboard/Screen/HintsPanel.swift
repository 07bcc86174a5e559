/// The last lines: the message about the latest event, and the keys that have an effect now.
enum HintsPanel {
    static func rows(_ context: ScreenContext) -> [TextRow] {
        // A prompt has its own line for it.
        guard let notice = context.state.notice, context.state.view != .prompts else { return keys(context) }
        return DashboardScreen.wrapped(notice, context.width, .warning).prefix(2) + keys(context)
    }

    private static func keys(_ context: ScreenContext) -> [TextRow] {
        var rows = [TextRow()]
        for (key, effect) in hints(context) {
            let length = DisplayText.columns(key) + effect.utf8.count + 1
            if rows[rows.count - 1].columns > 0, rows[rows.count - 1].columns + 3 + length > context.width {
                rows.append(TextRow())
            }
            if rows[rows.count - 1].columns > 0 { rows[rows.count - 1].append("   ") }
            rows[rows.count - 1].append(key, .title)
            rows[rows.count - 1].append(" " + effect, .hint)
        }
        return rows
    }

    private static func hints(_ context: ScreenContext) -> [(key: String, effect: String)] {
        let state = context.state
        let decisions = [("x", "revoke"), ("r", "reduce"), ("a", "allow")]
        switch state.view {
        case .prompts: return [("Esc", "back, without an answer"), ("n", "no answer"), ("q", "quit")]
        case .question: return [("Esc", "back, nothing changes")]
        case .details: return [(context.glyphs.keys, "other app")] + decisions + [("Esc", "back"), ("q", "quit")]
        case .overview:
            let list =
                state.apps.isEmpty ? [] : [(context.glyphs.keys, "choose an app"), ("Enter", "details")] + decisions
            return list + [("q", "quit")]
        }
    }
}
