internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The rows that the dashboard shows for a state, in a terminal of a given size.
struct DashboardScreen: Equatable {
    /// The rows, at most as many as the terminal has.
    var rows: [TextRow]
    /// A Boolean value indicating whether everything important about a prompt fits; see ``AgentScreen``.
    var isPromptReadable = true

    private static let leastWidth = 39
    private static let leastRows = 10
    /// The minimum size for satellite numbers and a table.
    private static let largeColumns = 120
    private static let largeRows = 40

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - now: The wall-clock time.
    ///   - time: The same moment on the clock of the state, in seconds.
    ///   - zone: The clock of the times on the screen.
    ///   - isPrinted: `true` if the screen is printed once, as plain text.
    init(
        _ state: DashboardState, columns: Int, rows: Int, glyphs: Glyphs, now: Timestamp, at time: Double,
        zone: LocalTime = .utc, isPrinted: Bool = false
    ) {
        // The last column stays empty: terminals differ in what they do after a character there.
        let width = min(columns - 1, 300)
        guard width >= Self.leastWidth, rows >= Self.leastRows else {
            self.rows =
                TextRow.wrapped(translated("This window is too small for the dashboard: enlarge it."), width, .warning)
                .prefix(max(0, rows)) + []
            return
        }
        let context = ScreenContext(
            state: state, glyphs: glyphs, now: now, time: time, zone: zone, width: width, isPrinted: isPrinted,
            isLarge: columns >= Self.largeColumns && rows >= Self.largeRows)
        let top = HeaderPanel.rows(context)
        let bottom = HintsPanel.rows(context)
        let middle = rows - top.count - bottom.count
        let content: [TextRow]
        if state.view == .prompts {
            (content, isPromptReadable) = Self.prompts(context, rows: middle)
        } else {
            content = Self.content(context, rows: middle)
        }
        let blank = max(0, middle - content.count)
        let filling = [TextRow](repeating: TextRow(), count: blank)
        let all: [TextRow] = top + Array(content.prefix(middle)) + filling + bottom
        self.rows = all.map { $0.cut(to: width) }
    }

    /// Returns the position, the sky, the receivers and what is below them.
    private static func content(_ context: ScreenContext, rows: Int) -> [TextRow] {
        guard context.state.isConnected else { return [] }
        if context.state.view == .help { return HelpPanel.rows(context) }
        let upper = rows < 14 ? [] : UpperPanels.rows(context, rows: upperRows(rows, context))
        switch context.state.view {
        case .overview, .prompts, .help:
            let rest = rows - upper.count
            let receivers = rows < 14 ? [] : ReceiverPanel.rows(context, rows: receiverRows(context.state, rest))
            return upper + receivers + AppsPanel.rows(context, limit: rest - receivers.count)
        case .details: return upper + DetailsPanel.rows(context, limit: rows - upper.count)
        case .question(let question):
            let panel = QuestionPanel.rows(question, context)
            // The question is complete, even if everything else is left out.
            return (upper.count + panel.count <= rows ? upper : []) + panel
        }
    }

    /// Returns the number of rows for the receivers: the rows that current and past users of the location leave free,
    /// and at least enough for two receivers and their title. A decision about an app that has never connected gives
    /// way to receivers.
    private static func receiverRows(_ state: DashboardState, _ rows: Int) -> Int {
        let users = state.apps.count { $0.lastUse != nil || !$0.sessions.isEmpty || $0.summary?.requested != nil }
        let apps = 2 + max(users, min(3, state.apps.count))
        return max(3, rows - apps)
    }

    private static func upperRows(_ rows: Int, _ context: ScreenContext) -> Int {
        max(7, min(context.isLarge ? 24 : 16, rows * 2 / 5))
    }

    /// Returns the prompt, with the position above it if there is enough room for both.
    private static func prompts(_ context: ScreenContext, rows: Int) -> ([TextRow], Bool) {
        let upper = rows < 36 ? [] : UpperPanels.rows(context, rows: upperRows(rows, context))
        let screen = AgentScreen(
            context.state.agent, columns: context.width + 1, rows: rows - upper.count - 1, now: context.now,
            context.zone)
        // Translators: Title of a panel: an app asks for the location.
        return (upper + [context.title(translated("PROMPT"))] + screen.lines, screen.isReadable)
    }
}

/// The state, size and colours for all panels.
struct ScreenContext {
    let state: DashboardState
    let glyphs: Glyphs
    let now: Timestamp
    /// The same moment on the clock of the state, in seconds.
    var time = 0.0
    /// The clock of the times on the screen.
    var zone = LocalTime.utc
    /// The number of columns.
    let width: Int
    /// A Boolean value indicating whether the screen is printed once, as plain text.
    var isPrinted = false
    /// A Boolean value indicating whether there is room for each satellite's number and figures.
    var isLarge = false

    /// Returns the line above a panel, with its name and remarks.
    func title(_ name: String, _ remarks: [(String, TextRow.Style)] = [], width: Int? = nil) -> TextRow {
        var row = TextRow("\(glyphs.rule)\(glyphs.rule) ", .hint)
        row.append(name, .title)
        for (text, style) in remarks where row.columns + 2 + DisplayText.columns(text) <= (width ?? self.width) - 3 {
            row.append("  ")
            row.append(text, style)
        }
        row.append(" ")
        row.append(String(repeating: glyphs.rule, count: max(0, (width ?? self.width) - row.columns)), .hint)
        return row
    }
}
