/// A stay at a place.
public struct Visit: Sendable, Equatable, Codable {
    /// Degrees, WGS 84: the mean of the fixes there.
    public var latitude: Double
    /// Degrees, WGS 84.
    public var longitude: Double
    /// Metres: the circle that the stay was in.
    public var horizontalAccuracy: Double
    /// When the device came.
    public var arrival: Timestamp
    /// When it left; `nil` while it is there.
    public var departure: Timestamp?

    /// A visit that lasts.
    public init(latitude: Double, longitude: Double, horizontalAccuracy: Double, arrival: Timestamp) {
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
        self.arrival = arrival
    }
}
