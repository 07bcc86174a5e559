/// The characters of the pictures.
struct Glyphs: Equatable {
    /// Eight levels, the lowest first.
    let levels: [Character]
    /// Directions of motion, clockwise from north.
    let directions: [Character]
    /// The deliveries of an hour: none, then up to 9, 99, 999, and more.
    let hours: [Character]
    let horizon: Character
    let zenith: Character
    /// The marks of an app that uses the location now, and of an app that did so in the last hour.
    let now: String
    let lastHour: String
    let rule: Character
    let selection: String
    let keys: String

    /// The arrow from a past value to the current one.
    let arrow: Character

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
    static func of(_ capabilities: TerminalCapabilities) -> Glyphs {
        guard capabilities.hasUnicode else { return ascii }
        return capabilities.isLinuxConsole ? console : unicode
    }
}
