public import NMEA

/// What a receiver got.
public struct ReceiverStatistics: Sendable, Equatable {
    /// Fixes given since the receiver was made.
    public var fixes = 0
    /// gpsd's epochs that were not given since the receiver was made: undated, out of range, or of a time that stood
    /// still or went back. Of the others' NMEA see `nmea`.
    public var droppedFixes = 0
    /// The sentences since the port was opened last, or the file at its beginning; `nil` for gpsd, which decodes them
    /// itself.
    public var nmea: Counts?

    /// Nothing yet.
    public init() {}
}
