package import LocationModel
package import LocationProtocol

/// A prompt in plain words. All text that an app chose is made harmless here.
package struct PromptText {
    /// A fact about the app that requests the location.
    package struct Detail: Equatable {
        package var label: String
        package var value: String
        /// A Boolean value indicating whether the fact is a reason to be careful.
        package var isWarning = false

        /// Returns the fact on a line, with a value of at most `columns` columns.
        package func line(columns: Int) -> String {
            let value = DisplayText.shortened(value, columns: columns)
            // Translators: A fact about an app, such as "User: alice". Only the punctuation is to be translated.
            return translated("{label}: {value}", ["label": label, "value": value])
        }
    }

    let prompt: Prompt

    package init(_ prompt: Prompt) { self.prompt = prompt }

    /// The app's display name, or its identity if it has none.
    package var name: String { DisplayText.shortened(DisplayText.shown(prompt.displayName ?? prompt.app), columns: 60) }

    /// The sentence with the app and its request.
    package var question: String {
        let places: KeyValuePairs = ["app": name]
        return switch prompt.question {
        case .whenInUse:
            // Translators: The app asks for the location while the user uses it, and not at other times.
            translated("{app} wants to use this machine's location while the app is in use.", places)
        case .always:
            // Translators: The app asks for the location also while the user does not use it.
            translated("{app} wants to use this machine's location at any time, even in the background.", places)
        case .alwaysInsteadOfWhenInUse:
            // Translators: The app has the location while it is in use, and asks for it at other times too.
            translated(
                "{app} can use this machine's location while the app is in use. It also wants it in the background.",
                places)
        case .keepAlways:
            // Translators: The app is about to get the location in the background for the first time.
            translated(
                "{app} is not in use now, but would get this machine's location in the background. Allow that?", places)
        case .temporaryFullAccuracy:
            // Translators: The app has an approximate location. It asks for the precise one until the app ends.
            translated("{app} gets this machine's location to about 5 km. It wants full accuracy for now.", places)
        }
    }

    /// Returns the sentence about the prompts after this one, or `nil` if there are none.
    package static func others(_ count: Int) -> String? {
        guard count > 0 else { return nil }
        return translated(
            "{count} more app waits for an answer.", plural: "{count} more apps wait for an answer.", count: count)
    }

    /// Returns the facts to know before answering, most important first: a low window shows only the first ones.
    package func details(now: Timestamp, _ time: LocalTime = .utc) -> [Detail] {
        var details = [
            why, Detail(label: translated("App"), value: DisplayText.shown(prompt.app)), Self.identity(prompt.strength),
        ]
        let user = prompt.user.map { "\(DisplayText.shown($0)) (\(prompt.uid))" } ?? "\(prompt.uid)"
        details.append(Detail(label: translated("User"), value: user))
        if let executable = prompt.executable, prompt.app != "exe:" + executable {
            // Translators: Label of the path of the app's program.
            details.append(Detail(label: translated("Program"), value: DisplayText.shown(executable)))
        }
        // Translators: Label of the number of the app's process.
        if let pid = prompt.pid { details.append(Detail(label: translated("Process"), value: "\(pid)")) }
        let since = "\(time.second(prompt.since)) \(time.name(at: prompt.since))"
        let ago = Self.ago(now.seconds(since: prompt.since))
        details.append(
            Detail(
                // Translators: Label of the time when the app asked for the location.
                label: translated("Asked"),
                // Translators: "2026-11-21 09:30:00 CET, 5 min ago"
                value: translated("{time}, {ago}", ["time": since, "ago": ago])))
        return details
    }

    /// The app's reason for its request, and the source of the reason.
    var why: Detail {
        // Translators: Label of the app's reason for its request.
        let label = translated("For")
        let purpose = prompt.purpose.map { DisplayText.quoted($0) }
        guard let description = prompt.description, !description.isEmpty else {
            let value =
                // Translators: The purpose is the app's own name for the reason, with quotation marks.
                purpose.map { translated("The app gives no reason (its purpose {purpose}).", ["purpose": $0]) }
                ?? translated("The app gives no reason.")
            return Detail(label: label, value: value, isWarning: true)
        }
        guard prompt.ownWords else {
            let reason = DisplayText.shown(description)
            let value = purpose.map {
                translated("{reason} (its purpose {purpose})", ["reason": reason, "purpose": $0])
            }
            return Detail(label: label, value: value ?? reason)
        }
        let reason = DisplayText.quoted(description)
        let value =
            purpose.map {
                translated(
                    "In the app's own words, which nobody has checked (its purpose {purpose}): {reason}",
                    ["purpose": $0, "reason": reason])
            }
            // Translators: The reason has quotation marks. Nobody has checked that it is true.
            ?? translated("In the app's own words, which nobody has checked: {reason}", ["reason": reason])
        return Detail(label: label, value: value, isWarning: true)
    }

    /// Returns how hard it is to pretend to be an app.
    package static func identity(_ strength: AppIdentity.Strength) -> Detail {
        // Translators: Label of how certain it is that the app is the one it seems to be.
        let label = translated("Identity")
        return switch strength {
        case .sandboxed:
            Detail(label: label, value: translated("In a sandbox: other sandboxed apps cannot pretend to be it."))
        case .service: Detail(label: label, value: translated("A system service: only root can pretend to be it."))
        case .advisory:
            Detail(label: label, value: translated("Any program of this user can pretend to be it."), isWarning: true)
        }
    }

    /// Returns the label of an answer, which describes its effect.
    package func label(_ answer: PromptAnswer) -> String {
        let hasItInUse = prompt.question == .alwaysInsteadOfWhenInUse || prompt.question == .keepAlways
        return switch (answer, prompt.question) {
        // Translators: The app keeps the approximate location, and does not get the precise one.
        case (.deny, .temporaryFullAccuracy): translated("Deny: accuracy stays reduced")
        // Translators: The app gets no location, and the user is not asked again.
        case (.deny, _): translated("Deny")
        // Translators: The app has the precise location until it ends; then the approximate one again.
        case (.once, .temporaryFullAccuracy): translated("Allow until the app ends")
        // Translators: The app has the location while it is in use, until it ends; then it has to ask again.
        case (.once, _): translated("Allow once, until the app ends")
        // Translators: The app keeps the location while it is in use, and does not get it in the background.
        case (.whileUsing, _) where hasItInUse: translated("Only while in use, as before")
        // Translators: The app has the location whenever it is in use, and not in the background.
        case (.whileUsing, _): translated("Allow while in use")
        // Translators: The app has the location while it is in use, until midnight; then it has to ask again.
        case (.untilTomorrow, _): translated("Allow until tomorrow")
        // Translators: The app has the location at any time, also while the user does not use it.
        case (.always, _): translated("Always allow, in background too")
        // Translators: Nothing is decided. The app gets no location now, and may ask again.
        case (.dismiss, _): translated("No answer: the app may ask again")
        }
    }

    /// A Boolean value indicating whether an answer comes with an accuracy. A request for temporary full accuracy
    /// leaves no choice.
    package var offersAccuracyChoice: Bool {
        prompt.question != .temporaryFullAccuracy && prompt.answers.contains(where: \.grants)
    }

    /// Returns the accuracy to send with an answer if the user chose `chosen`, or `nil` if the answer has none.
    package func accuracy(_ answer: PromptAnswer, chosen: AccuracyAuthorization) -> AccuracyAuthorization? {
        offersAccuracyChoice && answer.grants ? chosen : nil
    }

    /// Returns the confirmation of an answer: `Maps: Allow while in use, reduced accuracy`.
    package func confirmation(_ answer: PromptAnswer, _ accuracy: AccuracyAuthorization?) -> String {
        let places: KeyValuePairs = ["app": name, "answer": label(answer)]
        // Translators: The answer that was given to an app, such as "Maps: Allow while in use".
        guard accuracy == .reduced else { return translated("{app}: {answer}", places) }
        // Translators: The answer that was given to an app, which gets the approximate location.
        return translated("{app}: {answer}, reduced accuracy", places)
    }

    /// The notice that a prompt is closed, and not by this agent.
    package var closing: String {
        // Translators: The prompt was answered in another window, or the app is gone.
        translated("{app}: answered elsewhere, or withdrawn.", ["app": name])
    }

    /// Returns the accuracy that comes with an answer, in words.
    package static func words(_ accuracy: AccuracyAuthorization) -> String {
        // Translators: The app gets the precise location.
        guard accuracy == .reduced else { return translated("Accuracy: full") }
        // Translators: The app gets an approximate location, a place some 5 km wide.
        return translated("Accuracy: reduced, to about 5 km")
    }

    /// Returns a past time in words: "just now" even after the clock was set back.
    static func ago(_ seconds: Double) -> String {
        switch seconds {
        case ..<5: translated("just now")
        // Translators: The unit is the abbreviation of seconds.
        case ..<60: translated("{count} s ago", ["count": "\(Int(seconds))"])
        case ..<3600: translated("{count} min ago", ["count": "\(Int(seconds / 60))"])
        // Translators: The unit is the abbreviation of hours.
        case ..<172_800: translated("{count} h ago", ["count": "\(Int(seconds / 3600))"])
        default:
            translated("{count} day ago", plural: "{count} days ago", count: Int(min(seconds / 86400, 1e9)))
        }
    }
}
