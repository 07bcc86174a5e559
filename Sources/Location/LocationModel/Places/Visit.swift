/// A stay at a place.
public struct Visit: Sendable, Equatable, Codable {
    /// The latitude in degrees, WGS 84: the mean of the fixes during the stay.
    public var latitude: Double
    /// The longitude in degrees, WGS 84: the mean of the fixes during the stay.
    public var longitude: Double
    /// The radius of the circle that contains the stay, in metres.
    public var horizontalAccuracy: Double
    /// The time when the device arrived.
    public var arrival: Timestamp
    /// The time when the device left, or `nil` if it is still there.
    public var departure: Timestamp?

    /// Creates a visit that has not ended.
    public init(latitude: Double, longitude: Double, horizontalAccuracy: Double, arrival: Timestamp) {
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
        self.arrival = arrival
    }
}
