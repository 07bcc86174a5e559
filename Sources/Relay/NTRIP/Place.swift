package import LocationModel
package import RTCM

/// A place on the WGS 84 ellipsoid, in degrees.
package struct Place: Sendable, Equatable {
    package let latitude: Double
    package let longitude: Double

    /// Creates a place, or returns `nil` for numbers out of range. Longitudes up to 360 occur in source tables.
    package init?(latitude: Double, longitude: Double) {
        guard latitude.magnitude <= 90, (-180...360).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude > 180 ? longitude - 360 : longitude
    }

    /// The place of a location.
    package init(_ location: Location) { (latitude, longitude) = (location.latitude, location.longitude) }

    /// The place below a reference station's antenna, correct to 30 m; `nil` for the centre of the Earth, which a
    /// station sends that does not know its place.
    package init?(_ point: ReferencePoint) {
        guard let place = Ellipsoid.wgs84.place(x: point.x, y: point.y, z: point.z) else { return nil }
        (latitude, longitude) = place
    }

    /// Returns the distance along the ellipsoid, in metres.
    package func distance(to other: Place) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}
