/// The number of deliveries to an app in one hour.
public struct AccessLogEntry: Codable, Sendable, Equatable {
    /// The app, as `kind:name`.
    public var app: String
    /// The user ID of the app.
    public var uid: Int
    /// The start of the hour.
    public var hour: Timestamp
    /// The number of locations and events that were sent, or `nil` for callers without management rights.
    public var deliveries: Int?
    /// The accuracy of the sent locations and events.
    public var accuracy: AccuracyAuthorization
    /// A Boolean value indicating whether the app was in the background at the time.
    public var background: Bool

    /// Creates an entry for an hour.
    public init(key: AppKey, hour: Timestamp, deliveries: Int, accuracy: AccuracyAuthorization, background: Bool) {
        app = key.app.description
        uid = Int(key.uid)
        self.hour = hour
        self.deliveries = deliveries
        self.accuracy = accuracy
        self.background = background
    }
}

/// An app that is using the location, or used it in the last 24 hours.
public struct IndicatorEntry: Codable, Sendable, Equatable {
    /// The app, as `kind:name`.
    public var app: String
    /// The user ID of the app.
    public var uid: Int
    /// The display name from the app's manifest, or `nil` if it has none.
    public var displayName: String?
    /// A Boolean value indicating whether the app is using the location now.
    public var active: Bool
    /// A Boolean value indicating whether the app is, or at its last use was, in the background.
    public var background: Bool
    /// The accuracy of the locations.
    public var accuracy: AccuracyAuthorization
    /// The time of the last delivery to the app. For callers without management rights, the beginning of its quarter of
    /// an hour.
    public var lastUse: Timestamp
    /// The reasons to doubt the app's locations. `nil` if there are none, if the app gets no location now, or if it has
    /// reduced accuracy.
    public var doubts: FixDoubts?

    /// Creates an entry for an app.
    public init(key: AppKey, active: Bool, background: Bool, accuracy: AccuracyAuthorization, lastUse: Timestamp) {
        app = key.app.description
        uid = Int(key.uid)
        self.active = active
        self.background = background
        self.accuracy = accuracy
        self.lastUse = lastUse
    }

    private enum CodingKeys: String, CodingKey {
        case app, uid, displayName, active, background, accuracy, lastUse
        case doubts = "integrity"
    }
}
