internal import LocationModel

/// What a subscription remembers of the location that it delivered last: there may be ten thousand of them.
struct Delivered: Sendable {
    let timestamp: Timestamp
    /// Metres, 68 %.
    let horizontalAccuracy: Double?
    /// Degrees.
    private let latitude: Double
    /// Degrees.
    private let longitude: Double

    init(_ location: Location) {
        timestamp = location.timestamp
        horizontalAccuracy = location.horizontalAccuracy
        latitude = location.latitude
        longitude = location.longitude
    }

    /// Metres from there to `location`, along the WGS 84 ellipsoid.
    func distance(to location: Location) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: location.latitude, longitude: location.longitude)
    }
}
