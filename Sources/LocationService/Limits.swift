/// What one user or app may take of the daemon.
///
/// A connection carries one call at a time, so a stream each; frames are bounded by the protocol library (64 KiB, 32
/// levels of nesting).
public struct Limits: Sendable, Hashable {
    /// Connections of one user to the public socket, at least 1.
    public var connectionsPerUser = 256

    /// The limits that hold when the configuration says nothing.
    public init() {}
}
