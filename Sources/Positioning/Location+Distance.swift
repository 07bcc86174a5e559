import Glibc

extension Location {
    /// The horizontal distance to `other` along the WGS 84 ellipsoid, in metres. Altitudes do not count.
    public func distance(to other: Location) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}

/// An ellipsoid of revolution.
struct Ellipsoid {
    /// Semi-major axis, metres.
    let equatorialRadius: Double
    let flattening: Double

    /// World Geodetic System 1984 (NIMA TR8350.2).
    static let wgs84 = Ellipsoid(equatorialRadius: 6_378_137, flattening: 1 / 298.257223563)

    /// The length of the shortest path along the ellipsoid, in metres; latitudes and longitudes in degrees.
    ///
    /// Source: T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid", Survey Review 23 (1975),
    /// the inverse solution; within 0.5 mm. Close to the antipode, where it does not converge, the last iteration
    /// counts: less than 1 % off there.
    func distance(fromLatitude lat1: Double, longitude lon1: Double, toLatitude lat2: Double, longitude lon2: Double)
        -> Double
    {
        let degree = Double.pi / 180
        let polarRadius = equatorialRadius * (1 - flattening)
        let u1 = atan((1 - flattening) * tan(lat1 * degree))
        let u2 = atan((1 - flattening) * tan(lat2 * degree))
        let longitudeDifference = remainder(lon2 - lon1, 360) * degree
        let (sinU1, cosU1, sinU2, cosU2) = (sin(u1), cos(u1), sin(u2), cos(u2))

        var lambda = longitudeDifference
        var sinSigma = 0.0
        var cosSigma = 0.0
        var sigma = 0.0
        var cosSquaredAlpha = 0.0
        var cos2SigmaM = 0.0
        for _ in 0..<200 {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            sinSigma = hypot(cosU2 * sinLambda, cosU1 * sinU2 - sinU1 * cosU2 * cosLambda)
            if sinSigma == 0 { return 0 }
            cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
            sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cosU1 * cosU2 * sinLambda / sinSigma
            cosSquaredAlpha = 1 - sinAlpha * sinAlpha
            // Along the equator cos²α is zero and the term that it divides vanishes.
            cos2SigmaM = cosSquaredAlpha > 1e-15 ? cosSigma - 2 * sinU1 * sinU2 / cosSquaredAlpha : 0
            let c = flattening / 16 * cosSquaredAlpha * (4 + flattening * (4 - 3 * cosSquaredAlpha))
            let previous = lambda
            lambda =
                longitudeDifference + (1 - c) * flattening * sinAlpha
                * (sigma + c * sinSigma * (cos2SigmaM + c * cosSigma * (2 * cos2SigmaM * cos2SigmaM - 1)))
            if abs(lambda - previous) < 1e-12 { break }
        }
        let uSquared =
            cosSquaredAlpha * (equatorialRadius * equatorialRadius - polarRadius * polarRadius)
            / (polarRadius * polarRadius)
        let a = 1 + uSquared / 16384 * (4096 + uSquared * (-768 + uSquared * (320 - 175 * uSquared)))
        let b = uSquared / 1024 * (256 + uSquared * (-128 + uSquared * (74 - 47 * uSquared)))
        let squared = 2 * cos2SigmaM * cos2SigmaM - 1
        let deltaSigma =
            b * sinSigma
            * (cos2SigmaM + b / 4
                * (cosSigma * squared
                    - b / 6 * cos2SigmaM * (4 * sinSigma * sinSigma - 3) * (4 * cos2SigmaM * cos2SigmaM - 3)))
        return polarRadius * a * (sigma - deltaSigma)
    }
}
