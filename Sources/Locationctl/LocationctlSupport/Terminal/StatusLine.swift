package import LocationModel

/// The apps that use the location now, on one line for a shell's prompt or a status bar such as tmux's.
package struct StatusLine: Equatable {
    /// The maximum width of a name, in columns.
    private static let nameWidth = 30
    /// The characters that begin an expansion in tmux's formats or in the prompt of a shell. Attack: an app is named
    /// `#(curl …)` or `$(…)`, and the program that shows the line runs it.
    private static let expanding: Set<Unicode.Scalar> = ["#", "%", "$", "`", "\\", "!", "{", "}"]

    /// The line, which is empty if no app uses the location.
    package let text: String

    package init(_ apps: [IndicatorEntry], _ capabilities: TerminalCapabilities) {
        let active = apps.filter(\.active)
        guard let first = active.first else {
            text = ""
            return
        }
        let shown = DisplayText.shortened(DisplayText.shown(first.displayName ?? first.app), columns: Self.nameWidth)
        // Scalars, not characters: a combining mark after one of them does not prevent the expansion.
        var name = String.UnicodeScalarView()
        for scalar in shown.unicodeScalars { name.append(Self.expanding.contains(scalar) ? "?" : scalar) }
        let more = active.count > 1 ? " +\(active.count - 1)" : ""
        let place = active.contains(where: \.background) ? " (background)" : ""
        let doubt = active.contains { $0.doubts != nil } ? " (suspect location)" : ""
        text = TextRow("\(Glyphs.of(capabilities).now) \(String(name))\(more)\(place)\(doubt)").drawn(
            TerminalCapabilities(hasColour: false, hasUnicode: capabilities.hasUnicode))
    }
}
