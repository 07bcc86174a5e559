public import LocationModel

/// The error with which a request is answered.
public enum RequestRefusal: Error, Sendable, Hashable {
    /// There is no usage description, neither from a manifest nor from the app itself.
    case usageDescriptionMissing
    /// The user is not prompted: see `requestTemporaryFullAccuracy`, and the limit of three dismissals in a row.
    case promptDeclined
}

/// A reason why an answer is rejected. Nothing has changed then.
public enum AnswerRefusal: Error, Sendable, Hashable {
    /// No prompt with that ID is open: it was answered or is no longer needed.
    case noSuchQuestion
    /// The answer is not among those that the prompt offers, which are the associated value.
    case notOffered([PromptAnswer])
    /// The answer is "once" to a prompt for full accuracy, but with reduced accuracy.
    case contradictory
    /// The user already has the maximum number of apps with a decision, and this app is not one of them.
    case tooManyDecisions
}

/// A reason why a user's decision is rejected. Nothing has changed then.
public enum DecisionRefusal: Error, Sendable, Hashable {
    /// The administrator's configuration bars the app from the location.
    case restricted
    /// The user already has the maximum number of apps with a decision, and this app is not one of them.
    case tooManyDecisions
}
