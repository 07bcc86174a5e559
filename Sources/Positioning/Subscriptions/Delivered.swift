internal import LocationModel

/// The parts of the last delivered location that a subscription keeps. It is small: there may be ten thousand
/// subscriptions.
struct Delivered: Sendable {
    let timestamp: Timestamp
    /// The accuracy in metres, 68 %.
    let horizontalAccuracy: Double?
    /// The latitude in degrees.
    private let latitude: Double
    /// The longitude in degrees.
    private let longitude: Double

    init(_ location: Location) {
        timestamp = location.timestamp
        horizontalAccuracy = location.horizontalAccuracy
        latitude = location.latitude
        longitude = location.longitude
    }

    /// Returns the distance to `location` along the WGS 84 ellipsoid, in metres.
    func distance(to location: Location) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: location.latitude, longitude: location.longitude)
    }
}
