/// What a person decided about an app.
public struct Decision: Sendable, Hashable {
    /// What the app may have.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
        case denied, whenInUse, always
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

    /// A decision with these parts.
    public init(level: Level, accuracy: AccuracyAuthorization = .full, lifetime: Lifetime = .permanent) {
        self.level = level
        self.accuracy = accuracy
        self.lifetime = lifetime
    }

    /// The person said no.
    public static let denied = Decision(level: .denied)
}
