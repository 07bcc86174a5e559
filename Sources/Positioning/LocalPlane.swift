import Glibc

/// A plane that touches the WGS 84 ellipsoid at a place: distances near it for the price of a square root.
///
/// Within 0.1 % of the geodesic up to 20 km from the place, as far as 85° from the equator; nearer to a pole the geodesic
/// itself is used.
struct LocalPlane: Sendable, Equatable {
    /// Degrees.
    let latitude: Double
    /// Degrees.
    let longitude: Double
    private let metresPerDegreeNorth: Double
    private let metresPerDegreeEast: Double

    private static let polarLatitude = 85.0

    /// The plane at a place in degrees.
    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
        // The radii of curvature along the meridian and across it (Snyder, "Map Projections: A Working Manual", 4-18, 4-20).
        let ellipsoid = Ellipsoid.wgs84
        let squaredEccentricity = ellipsoid.flattening * (2 - ellipsoid.flattening)
        let sine = sin(latitude * .pi / 180)
        let w = 1 - squaredEccentricity * sine * sine
        let across = ellipsoid.equatorialRadius / w.squareRoot()
        metresPerDegreeNorth = across * (1 - squaredEccentricity) / w * .pi / 180
        metresPerDegreeEast = across * cos(latitude * .pi / 180) * .pi / 180
    }

    /// The plane at a location.
    init(at location: Location) {
        self.init(latitude: location.latitude, longitude: location.longitude)
    }

    /// Metres north and east from the plane's place to `location`.
    func displacement(to location: Location) -> (north: Double, east: Double) {
        (
            (location.latitude - latitude) * metresPerDegreeNorth,
            remainder(location.longitude - longitude, 360) * metresPerDegreeEast
        )
    }

    /// Metres from the plane's place to `location`.
    func distance(to location: Location) -> Double {
        guard latitude.magnitude < Self.polarLatitude else {
            return Ellipsoid.wgs84.distance(
                fromLatitude: latitude, longitude: longitude, toLatitude: location.latitude,
                longitude: location.longitude)
        }
        let (north, east) = displacement(to: location)
        return (north * north + east * east).squareRoot()
    }

    /// The place so many metres north and east, some kilometres at most: latitude and longitude in degrees.
    func place(north: Double, east: Double) -> (latitude: Double, longitude: Double) {
        (
            max(-90, min(90, latitude + north / metresPerDegreeNorth)),
            remainder(longitude + (latitude.magnitude < 90 ? east / metresPerDegreeEast : 0), 360)
        )
    }
}
