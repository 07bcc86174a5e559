public import LocationModel

/// A prompt: a question about an app that waits for the user's answer.
public struct OpenPrompt: Sendable, Hashable, Identifiable {
    /// The subject of a prompt.
    public enum Subject: Sendable, Hashable {
        /// The app has no decision and requests the location while it is in use.
        case whenInUse
        /// The app has no decision and requests the location in the background too.
        case always
        /// The app has the location while it is in use, and requests it in the background too.
        case alwaysInsteadOfWhenInUse
        /// The app would receive something in the background for the first time with a provisional `always`.
        case keepAlways
        /// The app has reduced accuracy and requests full accuracy until it has quit, for the purpose with this key.
        case temporaryFullAccuracy(purposeKey: String)
    }

    /// An identifier that is unique among all prompts, including closed ones.
    public let id: UInt64
    /// The app that the prompt is about.
    public let app: AppKey
    /// The subject of the prompt.
    public let subject: Subject
    /// The purpose of the app's use of the location. `nil` only with `keepAlways`, if the manifest has no text for it:
    /// an app's own words are not kept.
    public let usageDescription: UsageDescription?
    /// The accuracy of an answer that does not specify one.
    public let defaultAccuracy: AccuracyAuthorization
    /// The time when the prompt was opened, in seconds since 1970.
    public let openedAt: Int64

    /// The answers that the user can choose from, in display order.
    public var offeredAnswers: [PromptAnswer] { PromptAnswer.offered(for: subject) }
}

/// The error in reply to a request.
public enum RequestRefusal: Error, Sendable, Hashable {
    /// There is no usage description, neither from a manifest nor from the app itself.
    case usageDescriptionMissing
    /// The user is not prompted: see `requestTemporaryFullAccuracy`, and the limit of three dismissals in a row.
    case promptDeclined
}

/// A reason for rejecting an answer. A rejected answer changes nothing.
public enum AnswerRefusal: Error, Sendable, Hashable {
    /// No prompt with this ID is open: it was answered or is no longer needed.
    case noSuchPrompt
    /// The prompt does not offer the answer. The associated value lists the answers that it offers.
    case notOffered([PromptAnswer])
    /// The answer to a prompt for full accuracy is "once", but with reduced accuracy.
    case contradictory
    /// The user already has the maximum number of apps with a decision, and this app has none.
    case tooManyDecisions
}

/// A reason for rejecting a user's decision. A rejected decision changes nothing.
public enum DecisionRefusal: Error, Sendable, Hashable {
    /// The decision is not the one that the user has seen: it was changed, or has ended, in the meantime.
    case changed
    /// Nothing is granted to the app, so there is no grant to change.
    case nothingGranted
    /// The administrator's configuration bars the app from the location.
    case restricted
    /// The user already has the maximum number of apps with a decision, and this app has none.
    case tooManyDecisions
}
