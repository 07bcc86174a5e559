import Glibc
internal import LocationModel

/// The plane that touches the WGS 84 ellipsoid at a place. It gives offsets from the place in metres, for the cost of a
/// few sines.
///
/// Distances are straight, through the ground: within 0.01 % of the geodesic up to 20 km. Only the sines and cosines of
/// longitudes are used, so neither the poles nor the antimeridian are special.
struct LocalPlane: Sendable, Equatable {
    /// The longitude of the place, in degrees.
    private let longitude: Double
    /// The sine of the latitude of the place.
    private let sine: Double
    private let cosine: Double
    /// The distance in metres from the place along its vertical to the Earth's axis: the radius of curvature across the
    /// meridian.
    private let normal: Double

    private static let squaredEccentricity = Ellipsoid.wgs84.eccentricitySquared
    private static let degree = Double.pi / 180

    /// Creates the plane at a place in degrees.
    init(latitude: Double, longitude: Double) {
        self.longitude = longitude
        sine = sin(latitude * Self.degree)
        cosine = cos(latitude * Self.degree)
        normal = Self.normal(sine: sine)
    }

    /// Creates the plane at `location`.
    init(at location: Location) {
        self.init(latitude: location.latitude, longitude: location.longitude)
    }

    /// Returns the offset from the plane's place to `location`, in metres along a straight line. `up` is negative
    /// far away, because the Earth curves away from the plane.
    func displacement(to location: Location) -> (north: Double, east: Double, up: Double) {
        let sine = sin(location.latitude * Self.degree)
        let normal = Self.normal(sine: sine)
        let parallel = normal * cos(location.latitude * Self.degree)
        let turn = (location.longitude - longitude) * Self.degree
        // Measured from the place: outwards from the axis within the meridian of the place, and along the axis.
        let outwards = parallel * cos(turn) - self.normal * cosine
        let along = (1 - Self.squaredEccentricity) * (normal * sine - self.normal * self.sine)
        return (
            north: cosine * along - self.sine * outwards, east: parallel * sin(turn),
            up: cosine * outwards + self.sine * along
        )
    }

    /// Returns the distance from the plane's place to `location`, in metres.
    func distance(to location: Location) -> Double {
        let (north, east, up) = displacement(to: location)
        return (north * north + east * east + up * up).squareRoot()
    }

    /// Returns the latitude and longitude, in degrees, of the place `north` and `east` metres away: a few
    /// kilometres at most.
    func place(north: Double, east: Double) -> (latitude: Double, longitude: Double) {
        let outwards = normal * cosine - sine * north
        let along = (1 - Self.squaredEccentricity) * normal * sine + cosine * north
        return (
            atan2(along, (1 - Self.squaredEccentricity) * hypot(outwards, east)) / Self.degree,
            remainder(longitude + atan2(east, outwards) / Self.degree, 360)
        )
    }

    /// Returns the radius of curvature across the meridian, in metres (Snyder, "Map Projections: A Working Manual",
    /// 4-20).
    private static func normal(sine: Double) -> Double {
        Ellipsoid.wgs84.equatorialRadius / (1 - squaredEccentricity * sine * sine).squareRoot()
    }
}
