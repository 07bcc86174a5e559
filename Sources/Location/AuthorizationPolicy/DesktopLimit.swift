internal import LocationModel

/// A limit that a user's desktop sets for all apps of the user, with its own switch or level.
///
/// The limit holds until the same agent sets another one, across restarts of the daemon and logouts. The raw values are
/// stored in the database.
public enum DesktopLimit: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Location services are off.
    case off
    /// Every app has reduced accuracy at most.
    case reduced

    /// The maximum number of a user's agents with separate limits. The strictest limit of all further agents is kept
    /// under ``others``; only the user's own switch ends it.
    ///
    /// Attack: each of a thousand programs registers as an agent, sets a limit and leaves it behind. The desktop's own
    /// limit is then dropped in favour of theirs, or finds no room.
    public static let maximumCountPerUser = 8
    /// The name of the agents without separate limits. No program has this name.
    static let others = AppIdentity("exe:/")!

    /// Returns whether `a` is stricter than `b`.
    public static func < (a: DesktopLimit, b: DesktopLimit) -> Bool { a == .off && b == .reduced }
}
