public import LocationModel

/// A user's decision about an app.
public struct Decision: Sendable, Hashable {
    /// The level of access. The raw values are stored in the database.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
        case denied, whenInUse
        /// The user answered "while using" to a request for `always`. The app sees `authorizedAlways`, but receives
        /// nothing in the background until a second prompt has been answered: keep while using, or always.
        case provisionalAlways
        case always
    }

    /// The lifetime of a decision.
    public enum Lifetime: Sendable, Hashable {
        /// The decision holds until another one replaces it.
        case permanent
        /// The decision holds until the app's last connection has been closed for 10 s.
        case once
        /// The decision holds until a fixed time, in seconds since 1970-01-01T00:00:00Z.
        case until(secondsSince1970: Int64)
    }

    /// The level of access.
    public var level: Level
    /// The accuracy of the locations that the app receives.
    public var accuracy: AccuracyAuthorization
    /// The lifetime of the decision.
    public var lifetime: Lifetime
    /// A Boolean value indicating whether the user, when prompted for `always`, kept "while using". Further requests
    /// for `always` do not prompt then. Meaningful only with the level `whenInUse`. The flag ends with the decision;
    /// neither the next decision, prompted or not, nor an app that was reset inherits it.
    public var alwaysPromptSpent: Bool

    /// Creates a decision.
    public init(
        level: Level, accuracy: AccuracyAuthorization = .full, lifetime: Lifetime = .permanent,
        alwaysPromptSpent: Bool = false
    ) {
        self.level = level
        self.accuracy = accuracy
        self.lifetime = lifetime
        self.alwaysPromptSpent = alwaysPromptSpent
    }

    /// A permanent denial.
    public static let denied = Decision(level: .denied)

    /// A Boolean value indicating whether the decision grants the app any access.
    public var grants: Bool { level != .denied }
}

// MARK: - The common part of two decisions

extension Decision {
    /// Returns the access that both decisions grant, which may be in effect while `new` is written in place of `old`.
    ///
    /// The result is `new` if it only reduces the access, and `old` if `new` only extends it.
    package static func common(_ old: Decision?, _ new: Decision?) -> Decision? {
        guard let new, new.grants else { return new }
        guard let old, old.grants else { return old }
        var common = new
        common.level = min(old.level, new.level)
        common.accuracy = old.accuracy == .reduced ? .reduced : new.accuracy
        common.lifetime = new.lifetime.endsWithin(old.lifetime) ? new.lifetime : old.lifetime
        common.alwaysPromptSpent = old.alwaysPromptSpent || new.alwaysPromptSpent
        return common
    }
}

extension Decision.Level: Comparable {
    /// Returns whether `a` allows an app less than `b` does.
    public static func < (a: Decision.Level, b: Decision.Level) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .denied: 0
        case .whenInUse: 1
        case .provisionalAlways: 2
        case .always: 3
        }
    }
}

extension Decision.Lifetime {
    /// Returns whether this lifetime ends no later than `other`. `once` and a fixed time cannot be compared: neither is
    /// within the other.
    fileprivate func endsWithin(_ other: Decision.Lifetime) -> Bool {
        switch (self, other) {
        case (_, .permanent), (.once, .once): true
        case (.until(let moment), .until(let otherMoment)): moment <= otherMoment
        default: false
        }
    }

    /// Returns whether this is a fixed time that has been reached. Other lifetimes do not end by time alone.
    func isOver(at secondsSince1970: Int64) -> Bool { end.map { $0 <= secondsSince1970 } ?? false }

    /// The end of the lifetime in seconds since 1970, or `nil` if it does not end at a certain time.
    public var end: Int64? {
        if case .until(let seconds) = self { seconds } else { nil }
    }
}

/// A process of this machine since its last start. No two processes have the same description.
public struct ProcessStart: Sendable, Hashable {
    /// The process ID.
    public let pid: Int32
    /// The start time of the process, in clock ticks since the machine started: proc_pid_stat(5).
    public let ticks: UInt64

    /// Creates the description of a process.
    public init(pid: Int32, ticks: UInt64) {
        self.pid = pid
        self.ticks = ticks
    }
}

/// A rule in the administrator's configuration that bars apps from the location, whatever users grant.
public struct Restriction: Sendable, Hashable {
    /// The app that the rule covers, or `nil` for every app.
    public var app: AppIdentity?
    /// The user that the rule covers, or `nil` for every user.
    public var uid: UInt32?

    /// Creates a rule for an app of a user.
    public init(app: AppIdentity? = nil, uid: UInt32? = nil) {
        self.app = app
        self.uid = uid
    }

    /// The rule that covers every app of every user.
    public static let everything = Restriction()
}

extension Set<Restriction> {
    /// Returns whether one of the rules covers the app.
    func cover(_ key: AppKey) -> Bool {
        // This is checked for most deliveries, and the set is almost always empty.
        guard !isEmpty else { return false }
        return contains(.everything) || contains(Restriction(uid: key.uid)) || contains(Restriction(app: key.app))
            || contains(Restriction(app: key.app, uid: key.uid))
    }
}
