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
    /// A Boolean value indicating whether that was while the app was not in use.
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
