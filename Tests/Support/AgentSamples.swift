public import LocationModel
public import LocationProtocol

/// Prompts of an app, for tests of agents.
public enum AgentSamples {
    /// The time of the app's request.
    public static let since = Timestamp("2026-06-01T12:00:00.000Z")!

    /// Returns a prompt of the app `exe:/opt/tracker/bin/tracker`. Its identity is advisory, and the reason is in its
    /// own words.
    public static func prompt(
        id: Int = 7, question: PromptSubject = .whenInUse, accuracy: AccuracyAuthorization = .full,
        answers: [PromptAnswer] = PromptAnswer.allCases
    ) -> Prompt {
        let key = AppKey(uid: 1000, app: AppIdentity("exe:/opt/tracker/bin/tracker")!)
        var prompt = Prompt(
            id: id, key: key, question: question, ownWords: true, accuracy: accuracy, answers: answers, since: since)
        prompt.displayName = "Tracker"
        prompt.user = "alice"
        prompt.executable = "/opt/tracker/bin/tracker"
        prompt.pid = 4711
        prompt.description = "to show where you are"
        return prompt
    }
}
