/// A limit that a user's desktop sets for all apps of the user, with a switch or a level of its own.
///
/// It holds until the same agent sets another one, over restarts of the daemon and logouts. The raw values are stored in
/// the database.
public enum DesktopLimit: String, Sendable, Hashable, CaseIterable {
    /// Location services are off.
    case off
    /// Every app has reduced accuracy at most.
    case reduced

    /// The maximum number of agents of one user that have a limit.
    ///
    /// Attack: each of a thousand programs registers as an agent, sets a limit and leaves it behind.
    public static let maximumCountPerUser = 8
}
