internal import ForeignText
internal import LocationModel
internal import LocationProtocol

/// A prompt as a notification.
///
/// Attack: servers with the capability body-markup interpret markup in the body, so a reason with `<b>` or a link in
/// it would look like the system's words. So the whole body is escaped; the summary is plain text by the
/// specification.
struct NotificationText {
    let summary: String
    let body: String
    /// The keys and labels of the buttons, alternating.
    let actions: [String]

    /// The maximum width of a detail, in columns: a longer one would push the rest off the desktop.
    private static let descriptionWidth = 300

    /// Creates the notification. `answerCommand` is for answers in a terminal. A server without buttons gets no
    /// actions.
    init(_ prompt: Prompt, hasButtons: Bool, now: Timestamp, answerCommand: String) {
        let text = PromptText(prompt)
        summary = "\(text.name) requests the location"
        var lines = [text.question]
        lines += text.details(now: now).map {
            "\($0.label): \(DisplayText.shortened($0.value, columns: Self.descriptionWidth))"
        }
        let answers = PromptAnswer.list(prompt.answers)
        if hasButtons {
            if text.offersAccuracyChoice { lines.append("Accuracy: \(PromptText.words(prompt.accuracy)).") }
            lines.append("Or in a terminal: \(answerCommand)")
        } else {
            lines.append("Answer in a terminal: \(answerCommand), where ANSWER is one of \(answers).")
        }
        body = ForeignText.escapedForMarkup(lines.joined(separator: "\n"))
        actions = hasButtons ? prompt.answers.flatMap { [$0.rawValue, text.label($0)] } : []
    }
}
