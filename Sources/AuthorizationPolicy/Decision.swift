public import LocationModel

/// What a user decided about an app.
public struct Decision: Sendable, Hashable {
    /// What the app may have. The raw values are those of the database.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
        case denied, whenInUse
        /// Asked for `always`, the user answered "while using". The app sees `authorizedAlways`, but has nothing in
        /// the background before the user was asked again: keep while using, or always.
        case provisionalAlways
        case always
    }

    /// How long a decision holds.
    public enum Lifetime: Sendable, Hashable {
        /// Until another decision.
        case permanent
        /// Until the app's last connection has been closed for 10 s.
        case once
        /// Up to a moment, in seconds since 1970-01-01T00:00:00Z.
        case until(secondsSince1970: Int64)
    }

    /// What the app may have.
    public var level: Level
    /// How exact it is.
    public var accuracy: AccuracyAuthorization
    /// How long it holds.
    public var lifetime: Lifetime
    /// A Boolean value indicating whether the user, asked for `always`, kept "while using": the app's requests for
    /// `always` do not prompt any more. Means something with the level `whenInUse` only. It goes with the decision: the
    /// next one, by a question or without, does not have it, nor has an app that was reset.
    public var alwaysQuestionSpent: Bool

    /// A decision with these parts.
    public init(
        level: Level, accuracy: AccuracyAuthorization = .full, lifetime: Lifetime = .permanent,
        alwaysQuestionSpent: Bool = false
    ) {
        self.level = level
        self.accuracy = accuracy
        self.lifetime = lifetime
        self.alwaysQuestionSpent = alwaysQuestionSpent
    }

    /// The user said no.
    public static let denied = Decision(level: .denied)

    /// A Boolean value indicating whether the app may have anything.
    public var grants: Bool { level != .denied }
}

// MARK: - What opens and what closes

extension Decision {
    /// What both of two decisions grant: what may hold at once when one of them is to take the place of the other,
    /// while that is being written.
    ///
    /// It is `new` where that only takes something away, and `old` where it only adds something.
    package static func common(_ old: Decision?, _ new: Decision?) -> Decision? {
        guard let new, new.grants else { return new }
        guard let old, old.grants else { return old }
        var common = new
        common.level = min(old.level, new.level)
        common.accuracy = old.accuracy == .reduced ? .reduced : new.accuracy
        common.lifetime = new.lifetime.endsWithin(old.lifetime) ? new.lifetime : old.lifetime
        common.alwaysQuestionSpent = old.alwaysQuestionSpent || new.alwaysQuestionSpent
        return common
    }
}

extension Decision.Level: Comparable {
    /// Returns whether `a` lets an app have less than `b`.
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
    /// Returns whether this one is over when `other` is, at the latest. Neither `once` nor a moment is within the
    /// other.
    fileprivate func endsWithin(_ other: Decision.Lifetime) -> Bool {
        switch (self, other) {
        case (_, .permanent), (.once, .once): true
        case (.until(let moment), .until(let otherMoment)): moment <= otherMoment
        default: false
        }
    }

    /// Returns whether it is over by time.
    func isOver(at secondsSince1970: Int64) -> Bool {
        if case .until(let moment) = self { moment <= secondsSince1970 } else { false }
    }
}
