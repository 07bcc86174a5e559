public import LocationModel
internal import Varlink

/// Who uses location, and who did.
public enum GetIndicator: ManageMethod {
    /// Whose.
    public typealias Parameters = UserScope
    /// The apps.
    public struct Reply: Codable, Sendable, Equatable {
        /// The latest first.
        public var apps: [IndicatorEntry]
        /// True if the list goes on in the next reply: see ``Page``.
        public var continued: Bool?

        /// Those apps.
        public init(apps: [IndicatorEntry]) { self.apps = apps }
    }
}

/// An app that uses the location now, or did in the last 24 hours.
public struct IndicatorEntry: Codable, Sendable, Equatable {
    /// `kind:name`.
    public var app: String
    /// The user that it runs as.
    public var uid: Int
    /// From the app's manifest.
    public var displayName: String?
    /// Whether it does so now.
    public var active: Bool
    /// Whether it does so, or did last, while it was not in use.
    public var background: Bool
    /// How exact the locations were.
    public var accuracy: AccuracyAuthorization
    /// When it got something last.
    public var lastUse: Timestamp

    /// An app with what is known of its use.
    public init(key: AppKey, active: Bool, background: Bool, accuracy: AccuracyAuthorization, lastUse: Timestamp) {
        app = key.app.description
        uid = Int(key.uid)
        self.active = active
        self.background = background
        self.accuracy = accuracy
        self.lastUse = lastUse
    }
}

/// What was sent to whom.
public enum GetAccessLog: ManageMethod {
    /// Whose.
    public typealias Parameters = UserScope
    /// The hours.
    public struct Reply: Codable, Sendable, Equatable {
        /// The latest first.
        public var entries: [AccessLogEntry]
        /// True if the list goes on in the next reply: see ``Page``.
        public var continued: Bool?

        /// Those hours.
        public init(entries: [AccessLogEntry]) { self.entries = entries }
    }
}

/// What was sent to an app in an hour.
public struct AccessLogEntry: Codable, Sendable, Equatable {
    /// `kind:name`.
    public var app: String
    /// The user that it runs as.
    public var uid: Int
    /// When the hour began.
    public var hour: Timestamp
    /// How many locations and events.
    public var deliveries: Int
    /// How exact they were.
    public var accuracy: AccuracyAuthorization
    /// Whether that was while the app was not in use.
    public var background: Bool

    /// That many in that hour.
    public init(key: AppKey, hour: Timestamp, deliveries: Int, accuracy: AccuracyAuthorization, background: Bool) {
        app = key.app.description
        uid = Int(key.uid)
        self.hour = hour
        self.deliveries = deliveries
        self.accuracy = accuracy
        self.background = background
    }
}
