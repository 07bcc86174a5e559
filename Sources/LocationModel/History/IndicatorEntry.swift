/// An app that uses the location now, or did in the last 24 hours.
public struct IndicatorEntry: Codable, Sendable, Equatable {
    /// `kind:name`.
    public var app: String
    /// The user that it runs as.
    public var uid: Int
    /// From the app's manifest.
    public var displayName: String?
    /// A Boolean value indicating whether it does so now.
    public var active: Bool
    /// A Boolean value indicating whether it does so, or did last, while it was not in use.
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
