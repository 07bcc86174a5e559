/// The direction that the device points in, as opposed to its direction of motion.
public struct Heading: Sendable, Equatable, Codable {
    /// The heading in degrees clockwise from magnetic north, 0..<360, or `nil` if the compass reports true north only
    /// and the magnetic variation is unknown.
    public var magneticHeading: Double?
    /// The heading in degrees clockwise from true north, 0..<360, or `nil` if the compass is magnetic and the
    /// variation is unknown.
    public var trueHeading: Double?
    /// The accuracy in degrees, 68 %, or `nil` if the compass does not report it.
    public var accuracy: Double?
    /// The time of the heading's arrival: compass sentences carry no time.
    public var timestamp: Timestamp

    /// Creates a heading with nothing but its time.
    public init(timestamp: Timestamp) {
        self.timestamp = timestamp
    }

    private enum CodingKeys: String, CodingKey {
        case magneticHeading = "magnetic"
        case trueHeading = "true"
        case accuracy, timestamp
    }
}
