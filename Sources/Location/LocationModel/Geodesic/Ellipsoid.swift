import Glibc

/// An oblate ellipsoid of revolution, nearly a sphere.
package struct Ellipsoid: Sendable {
    /// The semi-major axis in metres.
    package let equatorialRadius: Double
    /// The difference of the axes as a fraction of the semi-major axis.
    package let flattening: Double
    /// The first eccentricity squared: (a² − b²) / a².
    package let eccentricitySquared: Double
    /// The second eccentricity squared: (a² − b²) / b².
    let secondEccentricitySquared: Double

    /// World Geodetic System 1984 (NIMA TR8350.2).
    package static let wgs84 = Ellipsoid(equatorialRadius: 6_378_137, flattening: 1 / 298.257223563)

    /// Creates an ellipsoid.
    ///
    /// - Parameters:
    ///   - equatorialRadius: The semi-major axis in metres.
    ///   - flattening: 0 to about 1/150, the range where the quadrature of the integrals is accurate.
    init(equatorialRadius: Double, flattening: Double) {
        self.equatorialRadius = equatorialRadius
        self.flattening = flattening
        eccentricitySquared = flattening * (2 - flattening)
        secondEccentricitySquared = eccentricitySquared / (1 - eccentricitySquared)
    }

    /// The semi-minor axis in metres.
    var polarRadius: Double { equatorialRadius * (1 - flattening) }

    /// Returns the length of the shortest path along the ellipsoid, in metres.
    ///
    /// Latitudes (−90 to 90) and longitudes (any) are in degrees. The result is NaN if a value is out of range or not
    /// finite.
    package func distance(
        fromLatitude lat1: Double, longitude lon1: Double, toLatitude lat2: Double, longitude lon2: Double
    ) -> Double {
        guard abs(lat1) <= 90, abs(lat2) <= 90, lon1.isFinite, lon2.isFinite else { return .nan }
        let longitudeDifference = Self.longitudeDifference(lon1, lon2) * Self.degree
        let beta1 = reducedLatitude(lat1)
        let beta2 = reducedLatitude(lat2)
        if abs(lat2 - lat1) < 2,
            let length = shortLine(
                beta1, beta2, latitudeDifference: (lat2 - lat1) * Self.degree, longitudeDifference: longitudeDifference)
        {
            return length
        }
        // The path starts at the point farther from the equator, mirrored to the southern hemisphere: the symmetries
        // of the ellipsoid preserve the length.
        var (from, to) = abs(lat1) < abs(lat2) ? (beta2, beta1) : (beta1, beta2)
        if from.sine > 0 {
            from.sine.negate()
            to.sine.negate()
        }
        return geodesic(from, to, longitudeDifference: longitudeDifference)
    }

    /// The number of radians in a degree.
    private static let degree = Double.pi / 180

    /// Returns the angle between two meridians, 0 to 180 degrees. A small angle is exact, even at the antimeridian.
    private static func longitudeDifference(_ lon1: Double, _ lon2: Double) -> Double {
        let difference = lon2 - lon1
        if abs(difference) <= 180 { return abs(difference) }
        // Both are counted from the antimeridian, because the plain difference loses digits near it.
        let (east1, east2) = (remainder(lon1, 360), remainder(lon2, 360))
        return abs(remainder((east2 - copysign(180, east2)) - (east1 - copysign(180, east1)), 360))
    }

    /// The latitude on the auxiliary sphere: tan β = (1 − f) tan φ.
    struct ReducedLatitude {
        var sine: Double
        let cosine: Double
        /// √(cos² φ + (1 − f)² sin² φ), the divisor of sine and cosine.
        let norm: Double
    }

    private func reducedLatitude(_ latitude: Double) -> ReducedLatitude {
        let sine = (1 - flattening) * sin(latitude * Self.degree)
        // Counted from the pole: near it, 90 degrees in radians is rounded too coarsely.
        let cosine = sin((90 - abs(latitude)) * Self.degree)
        let norm = (sine * sine + cosine * cosine).squareRoot()
        return ReducedLatitude(sine: sine / norm, cosine: cosine / norm, norm: norm)
    }
}
