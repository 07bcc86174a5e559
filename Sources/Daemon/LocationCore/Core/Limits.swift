/// The limits on what one user or one app can use of the daemon.
///
/// A connection carries one call at a time, so one stream each. Frames are limited to 16 KiB and 32 levels of nesting
/// on the public socket, and to 64 KiB on the management socket.
public struct Limits: Sendable, Hashable {
    /// The maximum number of connections of one user to the public socket, at least 1.
    public var connectionsPerUser = 256
    /// The maximum number of connections of one app of a user to the public socket: half of the user's.
    public var connectionsPerApp: Int { max(1, connectionsPerUser / 2) }

    /// Creates the limits that apply if the configuration sets none.
    public init() {}
}
