internal import LocationctlSupport

/// The keys, and the marks of the screen.
enum HelpPanel {
    /// The minimum width of the keys.
    private static let leastKeyWidth = 16

    static func rows(_ context: ScreenContext) -> [TextRow] {
        let keys = keys(context)
        let keyWidth = keys.map { DisplayText.columns($0.0) }.reduce(leastKeyWidth, max)
        let keyRows = keys.flatMap { key, effect in lines(key, effect, context, keyWidth: keyWidth) }
        // Translators: The meaning of a mark before a receiver. A fix is a position that a receiver has computed.
        let mark = lines("*", translated("the receiver whose fixes apps get"), context, keyWidth: keyWidth)
        // Translators: Title of a list of keys.
        let keysTitle = context.title(translated("KEYS"))
        // Translators: Title of a list of marks on the screen.
        let marksTitle = context.title(translated("MARKS"))
        return [keysTitle] + keyRows + [marksTitle] + mark + AppsLegend.rows(context)
    }

    private static func keys(_ context: ScreenContext) -> [(String, String)] {
        [
            (
                // Translators: Keys: the arrows, the letters k and j, and the wheel of the mouse.
                translated("{arrows}, k j, wheel", ["arrows": context.glyphs.keys]), translated("choose an app")
            ),
            // Translators: Two keys.
            (translated("Home, End"), translated("the first app, the last one")),
            // Translators: Two keys.
            (translated("PageUp, PageDown"), translated("{count} apps further", ["count": "\(DashboardState.page)"])),
            // Translators: The key / opens a filter.
            ("/", translated("only apps with a text in their name; Esc shows all again")),
            // Translators: A key.
            (translated("Enter"), translated("more about the app, and back")),
            // Translators: The effect of a key: the app is denied the location from then on.
            ("x", translated("take the location away from it, or deny it")),
            // Translators: The effect of a key: the app keeps its grant, with an approximate location.
            ("r", translated("reduce its accuracy to about 5 km")), ("a", translated("allow it")),
            ("p", translated("answer the app that asks")), ("g", translated("ask for the location for this program")),
            ("Esc, Tab", translated("back, without an answer")), ("q, Ctrl-C", translated("quit; Ctrl-Z stops")),
            // Translators: A key and the mouse together.
            (translated("Shift + mouse"), translated("select text")),
        ]
    }

    private static func lines(
        _ key: String, _ effect: String, _ context: ScreenContext, keyWidth: Int
    ) -> [TextRow] {
        DisplayText.wrapped(effect, columns: context.width - keyWidth - 4).enumerated().map { index, part in
            var row = TextRow("  ")
            row.append(index == 0 ? key : "", width: keyWidth, .title)
            row.append("  " + part)
            return row
        }
    }
}
