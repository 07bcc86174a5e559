import Glibc
internal import LocationModel

/// The plane that touches the WGS 84 ellipsoid at a place: offsets from the place in metres, for the price of a few sines.
///
/// Distances are straight ones, through the ground: within 0.01 % of the geodesic up to 20 km. Longitudes enter by their
/// sines alone, so that neither the poles nor the antimeridian are special.
struct LocalPlane: Sendable, Equatable {
    /// Degrees.
    private let longitude: Double
    /// Of the latitude.
    private let sine: Double
    private let cosine: Double
    /// Metres from the place along its vertical to the axis of the earth: the radius of curvature across the meridian.
    private let normal: Double

    private static let squaredEccentricity = Ellipsoid.wgs84.flattening * (2 - Ellipsoid.wgs84.flattening)
    private static let degree = Double.pi / 180

    /// The plane at a place in degrees.
    init(latitude: Double, longitude: Double) {
        self.longitude = longitude
        sine = sin(latitude * Self.degree)
        cosine = cos(latitude * Self.degree)
        normal = Self.normal(sine: sine)
    }

    /// The plane at a location.
    init(at location: Location) {
        self.init(latitude: location.latitude, longitude: location.longitude)
    }

    /// Metres from the plane's place to `location`, straight; those up are negative, as the earth curves away.
    func displacement(to location: Location) -> (north: Double, east: Double, up: Double) {
        let sine = sin(location.latitude * Self.degree)
        let normal = Self.normal(sine: sine)
        let parallel = normal * cos(location.latitude * Self.degree)
        let turn = (location.longitude - longitude) * Self.degree
        // From the place: outwards from the axis within the place's meridian, and along the axis.
        let outwards = parallel * cos(turn) - self.normal * cosine
        let along = (1 - Self.squaredEccentricity) * (normal * sine - self.normal * self.sine)
        return (
            north: cosine * along - self.sine * outwards, east: parallel * sin(turn),
            up: cosine * outwards + self.sine * along
        )
    }

    /// Metres from the plane's place to `location`.
    func distance(to location: Location) -> Double {
        let (north, east, up) = displacement(to: location)
        return (north * north + east * east + up * up).squareRoot()
    }

    /// The place so many metres north and east, some kilometres at most: latitude and longitude in degrees.
    func place(north: Double, east: Double) -> (latitude: Double, longitude: Double) {
        let outwards = normal * cosine - sine * north
        let along = (1 - Self.squaredEccentricity) * normal * sine + cosine * north
        return (
            atan2(along, (1 - Self.squaredEccentricity) * hypot(outwards, east)) / Self.degree,
            remainder(longitude + atan2(east, outwards) / Self.degree, 360)
        )
    }

    /// The radius of curvature across the meridian in metres (Snyder, "Map Projections: A Working Manual", 4-20).
    private static func normal(sine: Double) -> Double {
        Ellipsoid.wgs84.equatorialRadius / (1 - squaredEccentricity * sine * sine).squareRoot()
    }
}
