/// The kind of input from an open receiver. It explains why there is a location or not.
public enum ReceiverCondition: String, Sendable, Codable, CaseIterable {
    /// Nothing.
    case nothing
    /// Bytes without a sentence: the baud rate is wrong, or the protocol is unknown.
    case unreadable
    /// Messages of a binary protocol that the service does not read.
    case otherProtocol
    /// Messages that cannot contain a position.
    case noPosition
    /// Epochs without a fix, while no satellite is in view.
    case noSatellites
    /// Epochs without a fix, although satellites are in view.
    case noFix
    /// Fixes without a date, while this machine's clock is not set. They do not give a location.
    case noDate
    /// Fixes without a date. They get the date of this machine's clock.
    case undated
    /// Fixes.
    case fix
}

/// The reason why the receiver in use was chosen.
public enum ReceiverChoiceReason: String, Sendable, Codable, CaseIterable {
    /// It was the first receiver to produce a fix.
    case first
    /// The previous receiver was lost.
    case otherLost
    /// The receiver was lost, and is back.
    case returned
    /// The previous receiver missed two epochs.
    case otherSilent
    /// The receiver is clearly more accurate than the previous one.
    case moreAccurate
    /// The previous receiver was a fixed place, which gives way to any receiver with a fix.
    case otherFixed
    /// There are doubts about the fixes of the previous receiver, and not about those of this one.
    case otherSuspect
}
