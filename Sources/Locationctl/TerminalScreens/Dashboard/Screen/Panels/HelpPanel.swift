internal import LocationctlSupport

/// The keys, and the marks of the screen.
enum HelpPanel {
    private static let keyWidth = 16

    static func rows(_ context: ScreenContext) -> [TextRow] {
        let keys = keys(context).flatMap { key, effect in
            lines(key, effect, context)
        }
        let marks = [("*", "the receiver whose fixes apps get")].flatMap { lines($0.0, $0.1, context) }
        return [context.title("KEYS")] + keys + [context.title("MARKS")] + marks + AppsLegend.rows(context)
    }

    private static func keys(_ context: ScreenContext) -> [(String, String)] {
        [
            ("\(context.glyphs.keys), k j, wheel", "choose an app"), ("Home, End", "the first app, the last one"),
            ("PageUp, PageDown", "\(DashboardState.page) apps further"),
            ("/", "only apps with a text in their name; Esc shows all again"),
            ("Enter", "more about the app, and back"), ("x", "take the location away from it, or deny it"),
            ("r", "reduce its accuracy to about 5 km"), ("a", "allow it"),
            ("p", "answer the app that asks"), ("g", "ask for the location for this program"),
            ("Esc, Tab", "back, without an answer"), ("q, Ctrl-C", "quit; Ctrl-Z stops"),
            ("Shift + mouse", "select text"),
        ]
    }

    private static func lines(_ key: String, _ effect: String, _ context: ScreenContext) -> [TextRow] {
        DisplayText.wrapped(effect, columns: context.width - keyWidth - 4).enumerated().map { index, part in
            var row = TextRow("  ")
            row.append(index == 0 ? key : "", width: keyWidth, .title)
            row.append("  " + part)
            return row
        }
    }
}
