/// The settings of the socket for corrections.
public struct CorrectionsSettings: Sendable, Equatable {
    /// The user of `locationd-ntrip`, who may write corrections besides root and the daemon's own user; `nil` for none.
    public var user: UInt32?

    /// Creates settings.
    public init(user: UInt32? = nil) { self.user = user }
}
