/// The reason why the receiver in use was chosen.
public enum ReceiverChoiceReason: String, Sendable, Codable, CaseIterable {
    /// It was the first receiver to produce a fix.
    case first
    /// The previous receiver was lost.
    case otherLost
    /// The previous receiver missed two epochs.
    case otherSilent
    /// It is clearly more accurate than the previous receiver.
    case moreAccurate
    /// The previous one was a fixed place, which gives way to any receiver with a fix.
    case otherFixed
}
