internal import LocationModel
internal import LocationProtocol

/// A question as a notification.
///
/// Servers with the capability body-markup read markup in the body: a reason with `<b>` or a link in it would look like
/// the system's word. So everything is escaped there; the summary is plain text by the specification.
struct NotificationText {
    let summary: String
    let body: String
    /// Keys and labels in turn.
    let actions: [String]

    /// Columns of a description: a longer one would push the rest off the desktop.
    private static let descriptionWidth = 300

    /// `answerCommand` says how to answer in a terminal. A server without buttons gets no actions.
    init(_ prompt: Prompt, hasButtons: Bool, now: Timestamp, answerCommand: String) {
        let text = PromptText(prompt)
        summary = "\(text.name) asks for the location"
        var lines = [text.question]
        lines += text.details(now: now).map {
            "\($0.label): \(DisplayText.shortened($0.value, columns: Self.descriptionWidth))"
        }
        let answers = PromptAnswer.list(prompt.answers)
        if hasButtons {
            if text.takesAccuracy { lines.append("Accuracy: \(PromptText.words(prompt.accuracy)).") }
            lines.append("In a terminal: \(answerCommand)")
        } else {
            lines.append("Answer in a terminal: \(answerCommand), with \(answers).")
        }
        body = Markup.escaped(lines.joined(separator: "\n"))
        actions = hasButtons ? prompt.answers.flatMap { [$0.rawValue, text.label($0)] } : []
    }
}
