/// Where the device points, which is not where it moves to.
public struct Heading: Sendable, Equatable, Codable {
    /// Degrees clockwise from magnetic north, 0..<360; `nil` where the compass tells true north only and nobody tells
    /// the variation.
    public var magneticHeading: Double?
    /// Degrees clockwise from true north, 0..<360; `nil` where the compass is magnetic and nobody tells the variation.
    public var trueHeading: Double?
    /// Degrees, 68 %; `nil` where the compass does not tell it.
    public var accuracy: Double?
    /// When it was received: compass sentences carry no time.
    public var timestamp: Timestamp

    /// A heading of which nothing but the time is known yet.
    public init(timestamp: Timestamp) {
        self.timestamp = timestamp
    }

    private enum CodingKeys: String, CodingKey {
        case magneticHeading = "magnetic"
        case trueHeading = "true"
        case accuracy, timestamp
    }
}
