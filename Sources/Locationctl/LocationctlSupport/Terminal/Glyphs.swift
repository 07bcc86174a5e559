/// The characters of the pictures.
package struct Glyphs: Equatable {
    /// Eight levels, the lowest first.
    package let levels: [Character]
    /// Directions of motion, clockwise from north.
    let directions: [Character]
    /// The deliveries of an hour: none, then up to 9, 99, 999, and more.
    package let hours: [Character]
    package let horizon: Character
    package let zenith: Character
    /// The marks of an app that uses the location now, and of an app that did so in the last hour.
    package let now: String
    package let lastHour: String
    package let rule: Character
    package let selection: String
    package let keys: String

    /// The arrow from a past value to the current one.
    package let arrow: Character

    static let unicode = Glyphs(
        levels: Array("▁▂▃▄▅▆▇█"), directions: Array("↑↗→↘↓↙←↖"), hours: Array("·▂▄▆█"), horizon: "·", zenith: "+",
        now: "●", lastHour: "○", rule: "─", selection: "▶", keys: "↑↓", arrow: "→")
    /// The characters for the Linux console, which all of Debian's default console fonts have.
    static let console = Glyphs(
        levels: Array("_.:-=+*#"), directions: Array("↑/→\\↓/←\\"), hours: Array("·-░▒█"), horizon: "·", zenith: "+",
        now: "●", lastHour: "o", rule: "─", selection: "▶", keys: "↑↓", arrow: "→")
    static let ascii = Glyphs(
        levels: Array("_.:-=+*#"), directions: Array("^/>\\v/<\\"), hours: Array(".-=+#"), horizon: ".", zenith: "+",
        now: "*", lastHour: "o", rule: "-", selection: ">", keys: "Up/Down", arrow: ">")

    /// Returns the characters for a terminal.
    package static func of(_ capabilities: TerminalCapabilities) -> Glyphs {
        guard capabilities.hasUnicode else { return ascii }
        return capabilities.isLinuxConsole ? console : unicode
    }
}
