/// A place on the WGS 84 ellipsoid, in degrees.
///
/// As Apple's, it is not `Equatable`, `Hashable` or `Codable`: apps that need that conform it themselves.
public struct CLLocationCoordinate2D: Sendable, BitwiseCopyable {
    /// Degrees north of the equator, -90...90.
    public var latitude: CLLocationDegrees
    /// Degrees east of Greenwich, -180...180.
    public var longitude: CLLocationDegrees

    /// Where the equator crosses the meridian of Greenwich.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// The values are taken as they are; `CLLocationCoordinate2DIsValid(_:)` tells whether they are a place.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// The coordinate of a latitude and a longitude in degrees.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Returns whether the latitude is in -90...90 and the longitude in -180...180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coord.latitude) && (-180...180).contains(coord.longitude)
}
