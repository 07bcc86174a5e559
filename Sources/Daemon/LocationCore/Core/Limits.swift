/// The limits on one user's or one app's use of the daemon.
///
/// A connection carries one call at a time, and so one stream. Frames are limited to 16 KiB and 32 levels of nesting on
/// the public socket, and to 64 KiB on the management socket.
public struct Limits: Sendable, Hashable {
    /// The maximum number of connections of one user to the public socket, at least 1.
    public var connectionsPerUser = 256
    /// The maximum number of connections of one app of a user to the public socket: half of the user's.
    public var connectionsPerApp: Int { max(1, connectionsPerUser / 2) }

    /// Creates the limits that apply if the configuration sets none.
    public init() {}
}
