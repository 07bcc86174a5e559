/// A user's answer to a prompt.
public enum PromptAnswer: String, Sendable, Hashable, Codable, CaseIterable {
    /// A denial. To a prompt for temporary full accuracy: accuracy stays reduced.
    case deny
    /// Access while in use, until the app's last connection has been closed for 10 s. To a prompt for temporary full
    /// accuracy: yes.
    case once
    /// Access while in use. To a prompt for `always` about an app that already has this: keep it.
    case whileUsing
    /// Access while in use, until local midnight.
    case untilTomorrow
    /// Access in the background too.
    case always
    /// The prompt was closed without an answer. Nothing changes.
    case dismiss
}
