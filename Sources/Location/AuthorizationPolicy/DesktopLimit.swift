internal import LocationModel

/// A limit that a user's desktop sets for all apps of the user, with a switch or a level of its own.
///
/// It holds until the same agent sets another one, over restarts of the daemon and logouts. The raw values are stored in
/// the database.
public enum DesktopLimit: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Location services are off.
    case off
    /// Every app has reduced accuracy at most.
    case reduced

    /// The maximum number of agents of one user that have a limit of their own. The strictest limit of all others is
    /// kept under ``others``: nothing but the user's own switch ends it.
    ///
    /// Attack: each of a thousand programs registers as an agent, sets a limit and leaves it behind, so that the
    /// desktop's own limit is forgotten for one of theirs, or finds no room.
    public static let maximumCountPerUser = 8
    /// The name of the agents that have no limit of their own. No program has it.
    static let others = AppIdentity("exe:/")!

    /// Returns whether `a` is stricter than `b`.
    public static func < (a: DesktopLimit, b: DesktopLimit) -> Bool { a == .off && b == .reduced }
}
