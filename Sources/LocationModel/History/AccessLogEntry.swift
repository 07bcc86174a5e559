/// The number of deliveries to an app in one hour.
public struct AccessLogEntry: Codable, Sendable, Equatable {
    /// The app, as `kind:name`.
    public var app: String
    /// The user ID under which the app runs.
    public var uid: Int
    /// The start of the hour.
    public var hour: Timestamp
    /// The number of locations and events that were sent.
    public var deliveries: Int
    /// The accuracy of what was sent.
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
