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
    }

    let prompt: Prompt

    package init(_ prompt: Prompt) { self.prompt = prompt }

    /// The app's display name, or its identity if it has none.
    package var name: String { DisplayText.shortened(DisplayText.shown(prompt.displayName ?? prompt.app), columns: 60) }

    /// The sentence with the app and its request.
    package var question: String {
        switch prompt.question {
        case .whenInUse: "\(name) wants to use this machine's location while the app is in use."
        case .always: "\(name) wants to use this machine's location at any time, even in the background."
        case .alwaysInsteadOfWhenInUse:
            "\(name) can use this machine's location while the app is in use. It also wants it in the background."
        case .keepAlways:
            "\(name) is not in use now, but would get this machine's location in the background. Allow that?"
        case .temporaryFullAccuracy:
            "\(name) gets this machine's location to about 5 km. It wants full accuracy for now."
        }
    }

    /// Returns the sentence about the prompts after this one, or `nil` if there are none.
    package static func others(_ count: Int) -> String? {
        count > 0 ? "\(count) more \(count == 1 ? "app waits" : "apps wait") for an answer." : nil
    }

    /// Returns the facts to know before answering, most important first: a low window shows only the first ones.
    package func details(now: Timestamp, _ time: LocalTime = .utc) -> [Detail] {
        var details = [why, Detail(label: "App", value: DisplayText.shown(prompt.app)), Self.identity(prompt.strength)]
        let user = prompt.user.map { "\(DisplayText.shown($0)) (\(prompt.uid))" } ?? "\(prompt.uid)"
        details.append(Detail(label: "User", value: user))
        if let executable = prompt.executable, prompt.app != "exe:" + executable {
            details.append(Detail(label: "Program", value: DisplayText.shown(executable)))
        }
        if let pid = prompt.pid { details.append(Detail(label: "Process", value: "\(pid)")) }
        details.append(
            Detail(
                label: "Asked",
                value: "\(time.second(prompt.since)) \(time.name(at: prompt.since)), "
                    + Self.ago(now.seconds(since: prompt.since))))
        return details
    }

    /// The app's reason for its request, and the source of the reason.
    var why: Detail {
        let purpose = prompt.purpose.map { " (its purpose \(DisplayText.quoted($0)))" } ?? ""
        guard let description = prompt.description, !description.isEmpty else {
            return Detail(label: "For", value: "The app gives no reason\(purpose).", isWarning: true)
        }
        guard prompt.ownWords else { return Detail(label: "For", value: DisplayText.shown(description) + purpose) }
        return Detail(
            label: "For",
            value: "In the app's own words, which nobody has checked\(purpose): \(DisplayText.quoted(description))",
            isWarning: true)
    }

    /// Returns how hard it is to pretend to be an app.
    package static func identity(_ strength: AppIdentity.Strength) -> Detail {
        switch strength {
        case .sandboxed:
            Detail(label: "Identity", value: "In a sandbox: other sandboxed apps cannot pretend to be it.")
        case .service: Detail(label: "Identity", value: "A system service: only root can pretend to be it.")
        case .advisory:
            Detail(label: "Identity", value: "Any program of this user can pretend to be it.", isWarning: true)
        }
    }

    /// Returns the label of an answer, which describes its effect.
    package func label(_ answer: PromptAnswer) -> String {
        let hasItInUse = prompt.question == .alwaysInsteadOfWhenInUse || prompt.question == .keepAlways
        return switch (answer, prompt.question) {
        case (.deny, .temporaryFullAccuracy): "Deny: accuracy stays reduced"
        case (.deny, _): "Deny"
        case (.once, .temporaryFullAccuracy): "Allow until the app ends"
        case (.once, _): "Allow once, until the app ends"
        case (.whileUsing, _): hasItInUse ? "Only while in use, as before" : "Allow while in use"
        case (.untilTomorrow, _): "Allow until tomorrow"
        case (.always, _): "Always allow, in background too"
        case (.dismiss, _): "No answer: the app may ask again"
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

    /// Returns the confirmation of an answer: `Maps: allow while in use, reduced accuracy.`
    package func confirmation(_ answer: PromptAnswer, _ accuracy: AccuracyAuthorization?) -> String {
        "\(name): \(label(answer).lowercased())\(accuracy == .reduced ? ", reduced accuracy" : "")."
    }

    /// Returns an accuracy in words.
    package static func words(_ accuracy: AccuracyAuthorization) -> String {
        accuracy == .full ? "full" : "reduced, to about 5 km"
    }

    /// Returns a past time in words: "just now" even after the clock was set back.
    static func ago(_ seconds: Double) -> String {
        switch seconds {
        case ..<5: "just now"
        case ..<60: "\(Int(seconds)) s ago"
        case ..<3600: "\(Int(seconds / 60)) min ago"
        case ..<172_800: "\(Int(seconds / 3600)) h ago"
        default: "\(Int(min(seconds / 86400, 1e9))) days ago"
        }
    }
}
