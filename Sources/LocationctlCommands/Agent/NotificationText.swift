internal import ForeignText
internal import LocationModel
internal import LocationProtocol

/// A prompt as a notification.
///
/// Attack: servers with the capability body-markup interpret markup in the body, so a reason with `<b>` or a link in
/// it would look like the system's words. So the whole body is escaped; the summary is plain text by the
/// specification.
struct NotificationText {
    /// The extent of a notification.
    enum Extent: Equatable {
        /// Two lines, which a desktop shows in full, and the answers that are given most often.
        case brief
        /// All that is known, and all answers.
        case whole
    }

    let summary: String
    let body: String
    /// The name of the icon, or the path of its file.
    let icon: String
    /// The keys and labels of the buttons, alternating.
    let actions: [String]

    /// The maximum width of a detail, in columns: a longer one would push the rest off the desktop.
    private static let descriptionWidth = 300
    /// The maximum width of a program's name in the summary, in columns.
    private static let nameWidth = 30
    /// The maximum width of the reason in a brief notification, in columns.
    private static let reasonWidth = 120

    /// Creates the notification. `answerCommand` is for answers in a terminal. A server without buttons gets no
    /// actions, and all that is known. One that makes a button of `default` gets no such action.
    init(
        _ prompt: Prompt, _ extent: Extent = .brief, entry: DesktopEntry? = nil, hasButtons: Bool,
        makesButtonOfDefault: Bool = false, now: Timestamp, answerCommand: String
    ) {
        var named = prompt
        if let name = entry?.name { named.displayName = prompt.displayName ?? name }
        let text = PromptText(named)
        icon = entry?.icon ?? "find-location"
        // A desktop cuts a long path off, and with it the request.
        let isPath = named.displayName == nil && prompt.app.contains("/")
        let last = prompt.app.split(separator: "/").last.map { "…/\($0)" } ?? prompt.app
        let name = isPath ? DisplayText.shortened(DisplayText.shown(last), columns: Self.nameWidth) : text.name
        summary = "\(name) requests the location"
        let buttons = NotificationButtons(prompt, extent)
        actions = hasButtons ? buttons.keysAndLabels(withDefault: !makesButtonOfDefault) : []
        if hasButtons, extent == .brief {
            let reason = DisplayText.shortened(text.why.value, columns: Self.reasonWidth)
            let accuracy = text.offersAccuracyChoice ? " Accuracy: \(PromptText.words(prompt.accuracy))." : ""
            let path = isPath ? text.name + "\n" : ""
            body = ForeignText.escapedForMarkup("\(path)\(reason)\n\(text.scope)\(accuracy)")
            return
        }
        var lines = [text.question]
        lines += text.details(now: now).map {
            "\($0.label): \(DisplayText.shortened($0.value, columns: Self.descriptionWidth))"
        }
        if hasButtons {
            if text.offersAccuracyChoice { lines.append("Accuracy: \(PromptText.words(prompt.accuracy)).") }
            lines.append("Or in a terminal: \(answerCommand)")
        } else {
            let answers = PromptAnswer.list(prompt.answers)
            lines.append("Answer in a terminal: \(answerCommand), where ANSWER is one of \(answers).")
        }
        body = ForeignText.escapedForMarkup(lines.joined(separator: "\n"))
    }
}

/// The buttons of a notification.
struct NotificationButtons {
    /// The effect of a button.
    enum Press: Equatable {
        case answer(PromptAnswer, AccuracyAuthorization?)
        /// Shows all that is known, and all answers.
        case more
    }

    private var all: [(key: String, label: String, press: Press)] = []

    /// The buttons of a prompt. A press of the notification itself, which servers call `default`, never is an answer.
    init(_ prompt: Prompt, _ extent: NotificationText.Extent) {
        let text = PromptText(prompt)
        let answers = prompt.answers.filter { $0 != .dismiss }
        let first = extent == .brief ? answers.filter(Self.areFrequent(prompt.question).contains) : answers
        // Short ones: a desktop puts them side by side, and cuts off what does not fit.
        all = first.map { ($0.rawValue, Self.label($0), .answer($0, nil)) }
        if extent == .brief {
            all.append(("more", "More…", .more))
            // Some servers make a button of it if it has a label, and some anyway.
            all.append(("default", "", .more))
        } else if text.offersAccuracyChoice, prompt.answers.contains(.whileUsing) {
            let isExact = prompt.accuracy == .full
            let label = isExact ? "Approximate, while in use" : "Exact, while in use"
            all.append(("otherAccuracy", label, .answer(.whileUsing, isExact ? .reduced : .full)))
        }
    }

    /// Returns the keys and labels, alternating, with or without the press of the notification itself.
    func keysAndLabels(withDefault: Bool) -> [String] {
        all.filter { withDefault || $0.key != "default" }.flatMap { [$0.key, $0.label] }
    }

    /// Returns the effect of the button with that key, or `nil` if there is none.
    func press(_ key: String) -> Press? { all.first { $0.key == key }?.press }

    private static func areFrequent(_ question: PromptSubject) -> [PromptAnswer] {
        switch question {
        case .whenInUse, .always, .temporaryFullAccuracy: [.once, .whileUsing, .deny]
        case .alwaysInsteadOfWhenInUse, .keepAlways: [.whileUsing, .always, .deny]
        }
    }

    private static func label(_ answer: PromptAnswer) -> String {
        switch answer {
        case .deny: "Deny"
        case .once: "Once"
        case .whileUsing: "While in use"
        case .untilTomorrow: "Until midnight"
        case .always: "Always"
        case .dismiss: "No answer"
        }
    }
}
