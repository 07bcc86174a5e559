public import NMEA

/// Counts of a receiver's received and dropped data.
public struct ReceiverStatistics: Sendable, Equatable {
    /// Fixes produced since the receiver was created.
    public var fixes = 0
    /// gpsd epochs dropped since the receiver was created because their time was out of range, repeated or earlier than
    /// the last one, or because their position was out of range. For other receivers see `nmea`.
    public var droppedFixes = 0
    /// Sentence counts since the port was last opened, or since the replay began; `nil` for gpsd, which decodes
    /// the sentences itself.
    public var nmea: Counts?

    /// Creates empty statistics.
    public init() {}
}
