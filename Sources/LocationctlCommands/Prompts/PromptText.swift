internal import LocationModel
internal import LocationProtocol

/// What a user is told of a question, in plain words. Everything that an app chose is made harmless here.
struct PromptText {
    /// Something about the app that asks.
    struct Detail: Equatable {
        var label: String
        var value: String
        /// A Boolean value indicating whether it is a reason to be careful.
        var isWarning = false
    }

    let prompt: Prompt

    init(_ prompt: Prompt) { self.prompt = prompt }

    /// Its name for people, else its identity.
    var name: String { DisplayText.shortened(DisplayText.shown(prompt.displayName ?? prompt.app), columns: 60) }

    /// Who asks for what.
    var question: String {
        switch prompt.question {
        case .whenInUse: "\(name) wants this machine's location while it is in use."
        case .always: "\(name) wants this machine's location at any time, in the background too."
        case .alwaysInsteadOfWhenInUse:
            "\(name) has this machine's location while it is in use. It wants it in the background too."
        case .keepAlways:
            "\(name) is not in use now, and would get this machine's location in the background. May it?"
        case .temporaryFullAccuracy:
            "\(name) has this machine's location to about 5 km. It wants the exact one for now."
        }
    }

    /// What there is to know before answering, the most important first: a low window shows the first ones.
    func details(now: Timestamp) -> [Detail] {
        var details = [why, Detail(label: "App", value: DisplayText.shown(prompt.app)), identity]
        let user = prompt.user.map { "\(DisplayText.shown($0)) (\(prompt.uid))" } ?? "\(prompt.uid)"
        details.append(Detail(label: "User", value: user))
        if let executable = prompt.executable, prompt.app != "exe:" + executable {
            details.append(Detail(label: "Program", value: DisplayText.shown(executable)))
        }
        if let pid = prompt.pid { details.append(Detail(label: "Process", value: "\(pid)")) }
        details.append(
            Detail(label: "Asked", value: "\(prompt.since.second) UTC, \(Self.ago(now.seconds(since: prompt.since)))"))
        return details
    }

    /// What it wants the location for, and who says so.
    var why: Detail {
        let purpose = prompt.purpose.map { " (its purpose \(DisplayText.quoted($0)))" } ?? ""
        guard let description = prompt.description, !description.isEmpty else {
            return Detail(label: "For", value: "It does not say what for\(purpose).", isWarning: true)
        }
        guard prompt.ownWords else { return Detail(label: "For", value: DisplayText.shown(description) + purpose) }
        return Detail(
            label: "For",
            value: "In its own words, which nobody has checked\(purpose): \(DisplayText.quoted(description))",
            isWarning: true)
    }

    private var identity: Detail {
        switch prompt.strength {
        case .sandboxed: Detail(label: "Identity", value: "In a sandbox: no other program can pretend to be it.")
        case .service: Detail(label: "Identity", value: "A system service: only root can pretend to be it.")
        case .advisory:
            Detail(label: "Identity", value: "Any program of this user can pretend to be it.", isWarning: true)
        }
    }

    /// What an answer to this question does.
    func label(_ answer: PromptAnswer) -> String {
        let hasItInUse = prompt.question == .alwaysInsteadOfWhenInUse || prompt.question == .keepAlways
        return switch (answer, prompt.question) {
        case (.deny, .temporaryFullAccuracy): "Deny: it stays reduced"
        case (.deny, _): "Deny"
        case (.once, .temporaryFullAccuracy): "Allow for now, until it ends"
        case (.once, _): "Allow once, until it ends"
        case (.whileUsing, _): hasItInUse ? "Only while in use, as before" : "Allow while in use"
        case (.untilTomorrow, _): "Allow until midnight"
        case (.always, _): "Always allow, in background too"
        case (.dismiss, _): "No answer: it may ask again"
        }
    }

    /// A Boolean value indicating whether an answer to it comes with an accuracy: exact is all that the last kind asks
    /// for.
    var takesAccuracy: Bool { prompt.question != .temporaryFullAccuracy && prompt.answers.contains(where: \.grants) }

    /// The accuracy to send with an answer, when the user has chosen `chosen`.
    func accuracy(_ answer: PromptAnswer, chosen: AccuracyAuthorization) -> AccuracyAuthorization? {
        takesAccuracy && answer.grants ? chosen : nil
    }

    /// What was answered: `Maps: allow while in use, reduced accuracy.`
    func told(_ answer: PromptAnswer, _ accuracy: AccuracyAuthorization?) -> String {
        "\(name): \(label(answer).lowercased())\(accuracy == .reduced ? ", reduced accuracy" : "")."
    }

    /// An accuracy in words.
    static func words(_ accuracy: AccuracyAuthorization) -> String {
        accuracy == .full ? "full" : "reduced, to about 5 km"
    }

    /// A time that is past, in words. A clock that was set back makes no negative one.
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
