import Glibc

extension Ellipsoid {
    /// Returns the place below or above a point, in degrees, correct to 30 m if the point is near the surface. Returns
    /// `nil` for a point deep below, such as the centre.
    ///
    /// The point is in metres from the centre: `x` to longitude 0 on the equator, `y` to 90° east, `z` to the north.
    package func place(x: Double, y: Double, z: Double) -> (latitude: Double, longitude: Double)? {
        let axisDistance = (x * x + y * y).squareRoot()
        guard axisDistance + z.magnitude > 0.94 * equatorialRadius else { return nil }
        return (
            atan2(z / (1 - eccentricitySquared), axisDistance) * 180 / .pi, atan2(y, x) * 180 / .pi
        )
    }
}
