/// What a receiver got since it was made.
public struct ReceiverStatistics: Sendable, Equatable {
    /// Fixes given.
    public var fixes = 0
    /// Epochs with a position that was not given: out of range, undated, or of a time that stood still or went back.
    public var droppedFixes = 0

    /// Nothing yet.
    public init() {}
}
