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
            // Translators: The app has a grant, and would be denied the location from then on.
            case .revoke: translated("Take the location away from {app}?", ["app": name])
            case .deny: translated("Deny {app} the location?", ["app": name])
            // Translators: The app would get an approximate location only.
            case .reduce: translated("Reduce the accuracy for {app}?", ["app": name])
            case .allow: translated("Allow {app} to have this machine's location?", ["app": name])
            }
        // Translators: Title of a panel.
        var rows = [context.title(translated("QUESTION"))]
        rows += TextRow.wrapped(text, context.width, .title)
        // Translators: The identity is like exe:/usr/bin/foo, and the user is a number.
        let subject = translated("App {identity}, user {user}", ["identity": identity, "user": "\(app.key.uid)"])
        rows += TextRow.wrapped(DisplayText.shortened(subject, columns: 2 * context.width - 4), context.width)
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
        case .revoke: translated("Its streams end before the next fix, and it is denied from then on.")
        case .deny: translated("It is denied from now on, and is not asked about again.")
        // Translators: A cell is a square with sides of about 5 km.
        case .reduce: translated("It keeps its grant, and learns no more than a cell, at most four times an hour.")
        case .allow: translated("You can take it away at any time.")
        }
    }

    private static func line(_ letter: Character, _ label: String) -> TextRow {
        var row = TextRow("  [\(letter)]", .title)
        row.append(" " + label)
        return row
    }
}
