internal import LocationctlSupport

/// The last lines: the message about the latest event, and the keys that have an effect now.
enum HintsPanel {
    private typealias Hint = (key: String, effect: String)

    static func rows(_ context: ScreenContext) -> [TextRow] {
        // The prompt's panel has its own line for the message.
        guard let notice = context.state.notice, context.state.view != .prompts else { return keys(context) }
        return TextRow.wrapped(notice, context.width, .warning).prefix(2) + keys(context)
    }

    private static func keys(_ context: ScreenContext) -> [TextRow] {
        let hints = hints(context)
        let lengths = hints.map { DisplayText.columns($0.key) + DisplayText.columns($0.effect) + 1 }
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

    private static func hints(_ context: ScreenContext) -> [Hint] {
        let state = context.state
        // Translators: The effect of the key Esc: all apps are shown again.
        let all: Hint = ("Esc", translated("all apps"))
        if state.view == .overview, state.isFilterOpen {
            // Translators: The effect of the key Enter: only apps with the typed text in their name stay.
            return [(translated("Enter"), translated("keep the filter")), all]
        }
        let decisions: [Hint] = [
            // Translators: The effect of the key x: the app loses its grant. Keep it short.
            ("x", translated("revoke")),
            // Translators: The effect of the key r: the app gets an approximate location only. Keep it short.
            ("r", translated("reduce")),
            // Translators: The effect of the key a: the app gets the location. Keep it short.
            ("a", translated("allow")),
        ]
        // Translators: The effect of the key Esc: the screen before. Keep it short.
        let back: Hint = ("Esc", translated("back"))
        // Translators: The effect of the key q: the program ends. Keep it short.
        let quit: Hint = ("q", translated("quit"))
        // Translators: The effect of the key ?: all keys are listed. Keep it short.
        let help: Hint = ("?", translated("help"))
        switch state.view {
        case .prompts:
            // Translators: The effect of the key n: nothing is decided. Keep it short.
            return [("Esc", translated("back, without an answer")), ("n", translated("no answer")), quit]
        case .question: return [("Esc", translated("back, nothing changes"))]
        case .help: return [back, quit]
        // Translators: The effect of the arrow keys: the details of another app. Keep it short.
        case .details:
            let other: Hint = (context.glyphs.keys, translated("other app"))
            return [other] + decisions + [back, help, quit]
        case .overview:
            guard state.isConnected else { return [quit] }
            guard !state.apps.isEmpty else { return [help, quit] }
            // Translators: The effect of the key /: a text in the names of apps. Keep it short.
            let filter: [Hint] = context.width < 90 ? [] : [("/", translated("filter"))]
            let cursor: [Hint] = [
                // Translators: The effect of the arrow keys: they choose an app. Keep it short.
                (context.glyphs.keys, translated("choose")),
                // Translators: The effect of the key Enter: more about the app. Keep it short.
                (translated("Enter"), translated("details")),
            ]
            let end: [Hint] = state.filter.isEmpty ? [help, quit] : [all, help, quit]
            return cursor + decisions + filter + end
        }
    }
}
