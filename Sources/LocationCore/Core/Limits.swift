/// What one user or app may take of the daemon.
///
/// A connection carries one call at a time, so a stream each. Frames are bounded at 16 KiB and 32 levels of nesting on the
/// public socket, at 64 KiB on the other one.
public struct Limits: Sendable, Hashable {
    /// Connections of one user to the public socket, at least 1.
    public var connectionsPerUser = 256
    /// Connections of one app of a user to the public socket: half of what the user may have.
    public var connectionsPerApp: Int { max(1, connectionsPerUser / 2) }

    /// The limits that hold when the configuration says nothing.
    public init() {}
}
