/// Why the receiver in use is in use.
public enum ReceiverChoiceReason: String, Sendable, Codable, CaseIterable {
    /// It was the first one to give a fix.
    case first
    /// The one before it was lost.
    case otherLost
    /// The one before it has missed two epochs.
    case otherSilent
    /// It is clearly more accurate than the one before it.
    case moreAccurate
}
