internal import ForeignText
internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

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
        /// All details, and all answers.
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
    /// The maximum width of the app's identity in a brief notification, in columns.
    private static let identityWidth = 60

    /// Creates the notification. `answerCommand` is for answers in a terminal. A server without buttons gets no actions
    /// and all details. A server that displays `default` as a button gets no such action.
    init(
        _ prompt: Prompt, _ extent: Extent = .brief, _ token: NotificationToken, entry: DesktopEntry? = nil,
        hasButtons: Bool,
        makesButtonOfDefault: Bool = false, now: Timestamp, _ time: LocalTime = .utc, answerCommand: String
    ) {
        var named = prompt
        if let name = entry?.name { named.displayName = prompt.displayName ?? name }
        let text = PromptText(named)
        icon = entry?.icon ?? "find-location"
        summary = Self.request(of: Self.name(named), prompt.question)
        let buttons = NotificationButtons(prompt, extent, token)
        actions = hasButtons ? buttons.keysAndLabels(withDefault: !makesButtonOfDefault) : []
        if hasButtons, extent == .brief {
            body = ForeignText.escapedForMarkup("\(Self.reason(prompt))\n\(Self.identity(prompt))")
            return
        }
        var lines = [text.question]
        lines += text.details(now: now, time).map { $0.line(columns: Self.descriptionWidth) }
        if hasButtons {
            if text.offersAccuracyChoice { lines.append(PromptText.words(prompt.accuracy)) }
            // Translators: Another way to answer than the buttons: a command.
            lines.append(translated("Or in a terminal: {command}", ["command": answerCommand]))
        } else {
            lines.append(
                translated(
                    // Translators: ANSWER is a word in the command, and the answers are English words to type.
                    "Answer in a terminal: {command}, where ANSWER is one of {answers}.",
                    ["command": answerCommand, "answers": PromptAnswer.list(prompt.answers)]))
        }
        body = ForeignText.escapedForMarkup(lines.joined(separator: "\n"))
    }

    /// Returns the display name or, if there is none, the program's name: a desktop would cut off a long path, and the
    /// request with it. The path is in the body.
    private static func name(_ prompt: Prompt) -> String {
        guard prompt.displayName == nil, let last = prompt.app.split(separator: "/").last, last.count < prompt.app.count
        else { return PromptText(prompt).name }
        return DisplayText.shortened(DisplayText.shown(String(last)), columns: nameWidth)
    }

    private static func request(of name: String, _ question: PromptSubject) -> String {
        let places: KeyValuePairs = ["app": name]
        return switch question {
        // Translators: Title of a notification; the app asks for the location while it is in use. Keep it short.
        case .whenInUse: translated("{app} would like your location", places)
        // Translators: The app asks for the location also while the user does not use it.
        case .always: translated("{app} would like your location at any time", places)
        // Translators: The app has the location while it is in use, and asks for it at other times too.
        case .alwaysInsteadOfWhenInUse: translated("{app} would like your location in the background too", places)
        // Translators: The app is about to get the location in the background for the first time.
        case .keepAlways: translated("{app} would like to keep your location in the background", places)
        // Translators: The app has an approximate location. It asks for the precise one until the app ends.
        case .temporaryFullAccuracy: translated("{app} would like your exact location for now", places)
        }
    }

    /// Returns the reason, and whether these are the app's own words.
    private static func reason(_ prompt: Prompt) -> String {
        guard let description = prompt.description, !description.isEmpty else {
            // Translators: The app does not say what it needs the location for.
            return translated("It gives no reason.")
        }
        let words = DisplayText.shortened(description, columns: reasonWidth)
        guard prompt.ownWords else { return DisplayText.shown(words) }
        // Translators: The reason has quotation marks. These are the app's words, which nobody has checked.
        return translated("{reason} (its own words)", ["reason": DisplayText.quoted(words)])
    }

    /// Returns the app's identity and how easily it can be forged.
    ///
    /// Attack: a program's path ends in a dot and the words for a system service.
    private static func identity(_ prompt: Prompt) -> String {
        let dots: Set<Unicode.Scalar> = [
            "\u{B7}", "\u{387}", "\u{2022}", "\u{2027}", "\u{2219}", "\u{22C5}", "\u{30FB}",
        ]
        var app = String.UnicodeScalarView()
        let name = prompt.app.hasPrefix("exe:/") ? String(prompt.app.dropFirst(4)) : prompt.app
        for scalar in name.unicodeScalars { app.append(dots.contains(scalar) ? "?" : scalar) }
        let places: KeyValuePairs = [
            "app": DisplayText.shortened(DisplayText.shown(String(app)), columns: identityWidth)
        ]
        // Translators: After the app's name, how certain it is that the app is the one it seems to be.
        return switch prompt.strength {
        case .sandboxed: translated("{app} · in a sandbox, no other app can pretend to be it", places)
        case .service: translated("{app} · only root can pretend to be it", places)
        case .advisory: translated("{app} · any program of yours can pretend to be it", places)
        }
    }
}

/// A secret of one notification, in the keys of its buttons: 128 random bits in hexadecimal digits.
///
/// Only the server learns it until a button is pressed. The signal of a press goes to every program.
struct NotificationToken: Equatable {
    let digits: String

    init(using random: inout some RandomNumberGenerator) {
        digits = (0..<32).map { _ in String(UInt8.random(in: 0..<16, using: &random), radix: 16) }.joined()
    }
}

/// The buttons of a notification.
struct NotificationButtons {
    /// The effect of a button.
    enum Press: Equatable {
        case answer(PromptAnswer, AccuracyAuthorization?)
        /// Shows all details and all answers.
        case more
    }

    private var all: [(key: String, label: String, press: Press)] = []

    /// Creates the buttons of a prompt. A press of the notification itself, which servers call `default`, is never an
    /// answer.
    init(_ prompt: Prompt, _ extent: NotificationText.Extent, _ token: NotificationToken) {
        let text = PromptText(prompt)
        func key(_ name: String) -> String { "\(token.digits).\(name)" }
        // Labels are short: a desktop puts the buttons side by side and truncates them.
        func button(_ answer: PromptAnswer) -> (key: String, label: String, press: Press) {
            (key(answer.rawValue), Self.label(answer), .answer(answer, nil))
        }
        let answers = prompt.answers.filter { $0 != .dismiss }
        guard extent == .whole else {
            let frequent = Self.areFrequent(prompt.question).filter(answers.contains)
            let hasReduced = text.offersAccuracyChoice && frequent.contains(.whileUsing) && !frequent.contains(.always)
            // The second button says "approximate only": reduced accuracy, while in use.
            let isReduced = hasReduced && prompt.accuracy == .reduced
            all = frequent.filter { $0 != .deny && !(isReduced && $0 == .whileUsing) }.map(button)
            // Translators: Button. The app gets an approximate location, some 5 km wide, while it is in use.
            let approximate = translated("Approximate only")
            if hasReduced { all.append((key("approximate"), approximate, .answer(.whileUsing, .reduced))) }
            all += frequent.filter { $0 == .deny }.map(button)
            // Translators: Button. Shows all details and all answers.
            all.append((key("more"), translated("More…"), .more))
            // Some servers display it as a button if it has a label, and others always do.
            all.append(("default", "", .more))
            return
        }
        all = answers.map(button)
        if text.offersAccuracyChoice, prompt.answers.contains(.whileUsing) {
            let isExact = prompt.accuracy == .full
            let label =
                isExact
                // Translators: Button. The app gets an approximate location, some 5 km wide, while it is in use.
                ? translated("Approximate, while in use")
                // Translators: Button. The app gets the precise location while it is in use.
                : translated("Exact, while in use")
            all.append((key("otherAccuracy"), label, .answer(.whileUsing, isExact ? .reduced : .full)))
        }
        // The answers that the brief notification lacks come first: GNOME Shell 48 shows three buttons.
        func answer(_ press: Press) -> Press {
            if case .answer(let answer, nil) = press { .answer(answer, prompt.accuracy) } else { press }
        }
        let brief = NotificationButtons(prompt, .brief, token).all.map { answer($0.press) }
        all = all.filter { !brief.contains(answer($0.press)) } + all.filter { brief.contains(answer($0.press)) }
    }

    /// Returns the keys and labels, alternating, with or without the press of the notification itself.
    func keysAndLabels(withDefault: Bool) -> [String] {
        all.filter { withDefault || $0.key != "default" }.flatMap { [$0.key, $0.label] }
    }

    /// Returns the effect of the button with a key, or `nil` if there is no such button.
    func press(_ key: String) -> Press? { all.first { $0.key == key }?.press }

    private static func areFrequent(_ question: PromptSubject) -> [PromptAnswer] {
        switch question {
        case .whenInUse, .always: [.whileUsing, .deny]
        case .temporaryFullAccuracy: [.once, .deny]
        case .alwaysInsteadOfWhenInUse, .keepAlways: [.whileUsing, .always, .deny]
        }
    }

    private static func label(_ answer: PromptAnswer) -> String {
        switch answer {
        case .deny: translated("Deny")
        // Translators: Button. The app has the location while it is in use, until it ends; then it has to ask again.
        case .once: translated("Once")
        // Translators: Button. The app has the location whenever it is in use, and not in the background.
        case .whileUsing: translated("While in use")
        // Translators: Button. The app has the location while it is in use, until midnight; then it has to ask again.
        case .untilTomorrow: translated("Until tomorrow")
        // Translators: Button. The app has the location at any time, also while the user does not use it.
        case .always: translated("Always")
        // Translators: Button. Nothing is decided. The app gets no location now, and may ask again.
        case .dismiss: translated("No answer")
        }
    }
}
