/// A position on the WGS 84 ellipsoid, in degrees.
///
/// Like Apple's type, it does not conform to `Equatable`, `Hashable` or `Codable`: apps that need a conformance
/// declare it themselves.
public struct CLLocationCoordinate2D: Sendable, BitwiseCopyable {
    /// The latitude in degrees north of the equator, -90...90.
    public var latitude: CLLocationDegrees
    /// The longitude in degrees east of Greenwich, -180...180.
    public var longitude: CLLocationDegrees

    /// Creates a coordinate at latitude 0 and longitude 0.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// Creates a coordinate from degrees, without checking them: `CLLocationCoordinate2DIsValid(_:)` does that.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// Returns the coordinate with a latitude and a longitude in degrees.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Returns whether the latitude is in -90...90 and the longitude in -180...180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coord.latitude) && (-180...180).contains(coord.longitude)
}

extension CLLocationCoordinate2D {
    /// Returns the distance in metres along the WGS 84 ellipsoid, or NaN if either coordinate is not a position.
    package func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
        distanceAlongEllipsoid(from: self, to: other)
    }
}
