internal import LocationModel
internal import LocationctlSupport

/// The question that confirms a decision before it is made.
enum QuestionPanel {
    static func rows(_ question: DashboardQuestion, _ context: ScreenContext) -> [TextRow] {
        let app = question.app
        let name = DisplayText.shortened(DisplayText.shown(app.name), columns: 60)
        let identity = DisplayText.shown(app.key.app.description)
        let text =
            switch question.subject {
            case .revoke: "Take the location away from \(name)?"
            case .deny: "Deny \(name) the location?"
            case .reduce: "Reduce the accuracy for \(name)?"
            case .allow: "Allow \(name) to have this machine's location?"
            }
        var rows = [context.title("QUESTION")]
        rows += TextRow.wrapped(text, context.width, .title)
        rows += TextRow.wrapped(
            DisplayText.shortened("App \(identity), user \(app.key.uid)", columns: 2 * context.width - 4), context.width
        )
        rows += TextRow.wrapped(consequence(question.subject), context.width, .hint)
        if case .allow = question.subject, app.key.app.strength == .advisory {
            rows += TextRow.wrapped(PromptText.identity(.advisory).value, context.width, .warning)
        }
        rows.append(TextRow())
        for choice in question.choices { rows.append(line(choice.letter, choice.label)) }
        if case .allow(let accuracy) = question.subject {
            rows.append(line("r", PromptText.words(accuracy)))
        }
        return rows
    }

    private static func consequence(_ subject: DashboardQuestion.Subject) -> String {
        switch subject {
        case .revoke: "Its streams end before the next fix, and it is denied from then on."
        case .deny: "It is denied from now on, and is not asked about again."
        case .reduce: "It keeps its grant, and learns no more than a cell, at most four times an hour."
        case .allow: "You can take it away at any time."
        }
    }

    private static func line(_ letter: Character, _ label: String) -> TextRow {
        var row = TextRow("  [\(letter)]", .title)
        row.append(" " + label)
        return row
    }
}
