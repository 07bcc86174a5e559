/// The kind of input from an open receiver, which is the reason why there is a location or none.
public enum ReceiverCondition: String, Sendable, Codable, CaseIterable {
    /// Nothing.
    case nothing
    /// Bytes without a sentence: the baud rate is wrong, or the protocol is not known.
    case unreadable
    /// Messages of a binary protocol that is not read.
    case otherProtocol
    /// Messages without room for a position.
    case noPosition
    /// Epochs without a fix, while no satellite is in view.
    case noSatellites
    /// Epochs without a fix, although satellites are in view.
    case noFix
    /// Fixes without a date, while this machine's clock is not set: they make no location.
    case noDate
    /// Fixes without a date, which are dated by this machine's clock.
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
    /// It was lost, and is back.
    case returned
    /// The previous receiver missed two epochs.
    case otherSilent
    /// It is clearly more accurate than the previous receiver.
    case moreAccurate
    /// The previous one was a fixed place, which gives way to any receiver with a fix.
    case otherFixed
    /// Something speaks against the previous one's fixes, and not against its own.
    case otherSuspect
}
