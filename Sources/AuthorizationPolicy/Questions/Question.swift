public import LocationModel

/// A question about an app that waits for its user: what a prompt shows.
public struct Question: Sendable, Hashable, Identifiable {
    /// What is asked.
    public enum Subject: Sendable, Hashable {
        /// Nobody has decided; the app asks for the location while it is in use.
        case whenInUse
        /// Nobody has decided; the app asks for the location in the background too.
        case always
        /// The app has it while in use, and asks for it in the background too.
        case alwaysInsteadOfWhenInUse
        /// The app would for the first time get something in the background by a provisional `always`.
        case keepAlways
        /// The app has it reduced, and asks for full accuracy until it is gone, for the purpose with that key.
        case temporaryFullAccuracy(purposeKey: String)
    }

    /// Names it among all questions, those that are over included.
    public let id: UInt64
    /// The app that it is about.
    public let app: AppKey
    /// What is asked.
    public let subject: Subject
    /// What the app wants it for. Absent only with `keepAlways`, for an app without a manifest: its own words are not
    /// kept.
    public let usageDescription: UsageDescription?
    /// The accuracy of an answer that names none.
    public let defaultAccuracy: AccuracyAuthorization
    /// When it was asked first, in seconds since 1970.
    public let askedAt: Int64

    /// The answers that a user can choose from, in the order in which they are shown.
    public var offeredAnswers: [PromptAnswer] { PromptAnswer.offered(for: subject) }
}
