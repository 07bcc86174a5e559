public import LocationModel

/// The error that a request is answered with.
public enum RequestRefusal: Error, Sendable, Hashable {
    /// Neither a manifest nor the app itself says what it wants the location for.
    case usageDescriptionMissing
    /// The user is not asked: see `requestTemporaryFullAccuracy`, and three dismissals in a row.
    case promptDeclined
}

/// Why an answer is not taken. Nothing has changed then.
public enum AnswerRefusal: Error, Sendable, Hashable {
    /// No question with that id is open: it was answered, or there is nothing to ask any more.
    case noSuchQuestion
    /// It is none of the answers to this question; those are.
    case notOffered([PromptAnswer])
    /// "Once" to a question about full accuracy, but with reduced accuracy.
    case contradictory
    /// As many of the user's apps are decided about as can be; the app is not one of them.
    case tooManyDecisions
}

/// Why a user's decision is not taken. Nothing has changed then.
public enum DecisionRefusal: Error, Sendable, Hashable {
    /// The administrator's configuration forbids the app the location.
    case restricted
    /// As many of the user's apps are decided about as can be; the app is not one of them.
    case tooManyDecisions
}
