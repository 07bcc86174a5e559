internal import AuthorizationPolicy
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The lines that the agent's window shows for a state.
struct AgentScreen: Equatable {
    /// The lines, at most as many as the window has rows.
    var lines: [TextRow]
    /// A Boolean value indicating whether everything important about the prompt fits.
    var isReadable = true

    /// The maximum width, since longer lines are hard to read.
    private static let widest = 78
    /// The maximum number of lines for a text of the app, which must not push the rest out of the window.
    private static let maximumDetailLines = 6
    /// The minimum width of the labels with the space after them.
    private static let labelWidth = 10
    /// The minimum width, which the fixed texts need.
    private static let leastWidth = 39

    /// Lays out a window of 40 or more columns.
    init(_ state: AgentState, columns: Int, rows: Int, now: Timestamp, _ time: LocalTime = .utc) {
        // The last column stays empty: terminals differ in what they do after a character there.
        let width = min(Self.widest, columns - 1)
        guard let prompt = state.current else {
            lines = Self.idle(state, width: width)
            if lines.count > rows { lines = Array(lines.prefix(max(0, rows))) }
            return
        }
        let lower = Self.lower(prompt, state, width: width)
        guard
            let upper = Self.upper(
                PromptText(prompt).details(now: now, time), state, width: width, rows: rows - lower.count)
        else {
            let text = translated(
                "This window is too small for an app's prompt. Enlarge it, or press n for no answer.")
            lines = TextRow.wrapped(text, width, .warning).prefix(max(0, rows)) + []
            isReadable = false
            return
        }
        lines = upper + lower
    }

    private static func idle(_ state: AgentState, width: Int) -> [TextRow] {
        let text =
            state.isConnected
            ? translated("No app is waiting for an answer.")
            : translated("locationd is not running. Waiting for it to come back.")
        var lines = TextRow.wrapped(text, width)
        if let notice = state.notice { lines += [TextRow()] + TextRow.wrapped(notice, width) }
        return lines + [TextRow()] + TextRow.wrapped(translated("Ctrl-C: quit"), width, .hint)
    }

    /// Returns the question and the details in `rows` rows, or `nil` if the question and the first detail, the reason,
    /// do not fit.
    private static func upper(
        _ details: [PromptText.Detail], _ state: AgentState, width: Int, rows: Int
    ) -> [TextRow]? {
        guard width >= leastWidth, let prompt = state.current else { return nil }
        let others = PromptText.others(state.prompts.count - 1).map { TextRow.wrapped($0, width, .hint) } ?? []
        let question = TextRow.wrapped(PromptText(prompt).question, width, .title)
        let labelWidth = details.map { DisplayText.columns($0.label) + 1 }.max().map { max($0, Self.labelWidth) }
        let details = details.map { lines(of: $0, labelWidth ?? Self.labelWidth, width: width) }
        let all = details.flatMap(\.self)
        let blank = [TextRow()]
        let spaced = others + question + blank + all + blank
        if spaced.count <= rows { return spaced }
        let close = question + all
        if close.count <= rows { return close }
        guard question.count + (details.first?.count ?? 0) < rows else { return nil }
        return close.prefix(rows - 1) + [
            TextRow(DisplayText.shortened(translated("... enlarge the window to see more"), columns: width), .hint)
        ]
    }

    private static func lines(of detail: PromptText.Detail, _ labelWidth: Int, width: Int) -> [TextRow] {
        let width = width - labelWidth
        // Lines that are broken at spaces are not full.
        let value = DisplayText.shortened(detail.value, columns: (width - 2) * maximumDetailLines)
        let parts = DisplayText.wrapped(value, columns: width)
        return parts.prefix(maximumDetailLines).enumerated().map { index, part in
            let label = index == 0 ? detail.label : ""
            let isCut = index == maximumDetailLines - 1 && parts.count > maximumDetailLines
            let part = isCut ? DisplayText.shortened(part, columns: width - 2) + " …" : part
            return TextRow(padded(label, labelWidth) + part, detail.isWarning ? .warning : .plain)
        }
    }

    private static func lower(_ prompt: Prompt, _ state: AgentState, width: Int) -> [TextRow] {
        let text = PromptText(prompt)
        var lines: [TextRow] = []
        for (index, answer) in prompt.answers.enumerated() {
            let isSelected = state.selection == index
            let mark = isSelected ? "> " : "  "
            for (part, label) in DisplayText.wrapped(text.label(answer), columns: width - 6).enumerated() {
                let beginning = part == 0 ? "\(mark)[\(answer.letter)] " : "      "
                lines.append(TextRow(beginning + label, isSelected ? .selected : .plain))
            }
        }
        if text.offersAccuracyChoice {
            let accuracy = DisplayText.shortened(PromptText.words(state.accuracy), columns: width - 6)
            lines.append(TextRow("  [r] " + accuracy))
        }
        let hint =
            state.sending == nil
            // Translators: The keys of a prompt in a terminal. A letter stands in brackets before each answer.
            ? state.notice ?? translated("Up, Down, Enter or a letter; Ctrl-C: quit")
            : translated("Sending the answer ...")
        return lines + [TextRow()] + TextRow.wrapped(hint, width, .hint)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayText.columns(text)))
    }
}
