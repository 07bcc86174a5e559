import Glibc

extension Ellipsoid {
    /// The longest chord that `shortLine` accepts, in equatorial radii.
    private static let shortChord = 0.01

    /// Returns the length in metres of the line between two points less than 63 km apart, or `nil` if they are
    /// farther apart.
    ///
    /// The chord through the Earth is computed without cancellation. The arc above it has the curvature of the
    /// ellipsoid halfway along the line, in the line's direction (Euler's theorem). The relative error is of the order
    /// of f (s/a)⁴, anywhere on Earth.
    func shortLine(
        _ beta1: ReducedLatitude, _ beta2: ReducedLatitude, latitudeDifference: Double, longitudeDifference: Double
    ) -> Double? {
        // sin(β₂ − β₁) comes from the difference of the latitudes, which is exact for points a millimetre apart.
        let sineDifference = (1 - flattening) * sin(latitudeDifference) / (beta1.norm * beta2.norm)
        let squaredSine = sineDifference * sineDifference
        // (2 sin((β₂ − β₁) / 2))²
        let meridianArc = 2 * squaredSine / (1 + (1 - squaredSine).squareRoot())
        let cosineSum = beta1.cosine * beta2.cosine - beta1.sine * beta2.sine
        let squaredCosine = (1 + cosineSum) / 2
        let w = 1 - eccentricitySquared * squaredCosine

        let halfParallelArc = sin(longitudeDifference / 2)
        let alongMeridian = meridianArc * w
        let alongParallel = 4 * beta1.cosine * beta2.cosine * halfParallelArc * halfParallelArc
        let squaredChord = alongMeridian + alongParallel
        guard squaredChord < Self.shortChord * Self.shortChord else { return nil }
        if squaredChord == 0 { return 0 }

        let curvature =
            (1 - flattening) / w.squareRoot()
            * (1 + eccentricitySquared * squaredCosine / w * (alongMeridian / squaredChord))
        return 2 * equatorialRadius / curvature * asin(curvature * squaredChord.squareRoot() / 2)
    }
}
