/// What a user answers.
public enum PromptAnswer: String, Sendable, Hashable, Codable, CaseIterable {
    /// No. To a question about temporary full accuracy: it stays reduced.
    case deny
    /// While in use, until the app's last connection has been closed for 10 s. To a question about temporary full
    /// accuracy: yes.
    case once
    /// While in use. To a question that asks for `always` of an app that has it while in use: keep that.
    case whileUsing
    /// While in use, up to local midnight.
    case untilTomorrow
    /// In the background too.
    case always
    /// No answer: the prompt was closed. Everything stays as it is.
    case dismiss
}
