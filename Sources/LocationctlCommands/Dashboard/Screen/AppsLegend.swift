/// The legend of the marks, where there is space for it.
enum AppsLegend {
    static func rows(_ context: ScreenContext) -> [TextRow] {
        let glyphs = context.glyphs
        let amounts = ["none", "to 9", "to 99", "to 999", "more"]
        let hours = zip(glyphs.hours, amounts).map { "\($0) \($1)" }.joined(separator: "  ")
        let texts = [
            "\(glyphs.now) uses the location now  \(glyphs.lastHour) did in the last hour",
            "sent in an hour: \(hours)", "sky: upper case is used, lower case is only seen",
        ]
        return texts.flatMap { DashboardScreen.wrapped($0, context.width - 4, .hint) }.map { row in
            var indented = TextRow("    ")
            indented.append(row, at: 4)
            return indented
        }
    }
}
