import Glibc

// The inverse problem of geodesy, for the distance only.
//
// Source: C. F. F. Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013), with its names and equation
// numbers. The unknown is the azimuth α₁ at the first point. It has to make the geodesic meet the second point's
// parallel at the second point's meridian. The integrals (7), (8) and (40) are evaluated by Gauss-Legendre quadrature
// instead of by their series. This is as accurate and needs no tables of coefficients.
extension Ellipsoid {
    /// Returns the length of the shortest path in metres.
    ///
    /// - Parameters:
    ///   - beta1: A latitude on the southern hemisphere or the equator.
    ///   - beta2: A latitude that is not farther from the equator than `beta1`.
    ///   - longitudeDifference: λ₁₂, 0 to π.
    func geodesic(_ beta1: ReducedLatitude, _ beta2: ReducedLatitude, longitudeDifference: Double) -> Double {
        if beta1.cosine == 0 || longitudeDifference == 0 {
            return arc(beta1, beta2, azimuth: 0).length
        }
        // On an oblate ellipsoid, the shortest path to the opposite meridian crosses the pole.
        if longitudeDifference == .pi {
            return arc(beta1, beta2, azimuth: .pi).length
        }
        // The shortest path between points on the equator follows it only if they are far enough from antipodal.
        if beta1.sine == 0, longitudeDifference <= .pi * (1 - flattening) {
            return equatorialRadius * longitudeDifference
        }

        // While α₁ goes from 0 to π, λ₁₂ passes the wanted value once. Newton's method finds it, with bisection as its
        // safety net, which does much of the work close to the antipode. Bisection alone would take 60 rounds.
        var (low, high) = (0.0, Double.pi)
        var azimuth = firstAzimuth(beta1, beta2, longitudeDifference: longitudeDifference)
        var length = Double.nan
        for _ in 0..<100 {
            let arc = arc(beta1, beta2, azimuth: azimuth)
            let missing = longitudeDifference - arc.longitudeDifference
            // To first order, the missing longitude changes the length by Clairaut's constant: an error in the
            // azimuth counts only squared.
            length = arc.length + equatorialRadius * arc.sineAlpha0 * missing
            if missing > 0 { low = azimuth } else { high = azimuth }
            var step = missing / arc.slope
            if !(low < azimuth + step && azimuth + step < high) {
                step = (low + high) / 2 - azimuth
            }
            // The error of the length is at most the product of both errors, in radii of the Earth. A small step alone
            // proves nothing: the slope has a pole at an azimuth of 90 degrees if the latitudes are opposite.
            if abs(missing) < 1e-15 || (abs(missing) < 1e-8 && abs(missing * step) < 1e-17) { break }
            azimuth += step
        }
        return length
    }

    /// Returns the azimuth to begin with, from a sphere (equations 48 to 51).
    private func firstAzimuth(_ beta1: ReducedLatitude, _ beta2: ReducedLatitude, longitudeDifference: Double) -> Double
    {
        let meanCosine = (beta1.cosine + beta2.cosine) / 2
        let omega = longitudeDifference / (1 - eccentricitySquared * meanCosine * meanCosine).squareRoot()
        // The points are nearly antipodal, where a sphere does not help.
        guard omega < .pi else { return .pi / 2 }
        return atan2(
            beta2.cosine * sin(omega), beta1.cosine * beta2.sine - beta1.sine * beta2.cosine * cos(omega))
    }

    /// A geodesic from the first point to the second point's parallel, where it arrives northbound.
    private struct Arc {
        /// The length in metres.
        var length: Double
        /// λ₁₂ in radians.
        var longitudeDifference: Double
        /// The derivative of λ₁₂ with respect to α₁, in radians per radian.
        var slope: Double
        /// sin α₀, Clairaut's constant, where α₀ is the geodesic's azimuth at the equator.
        var sineAlpha0: Double
    }

    private func arc(_ beta1: ReducedLatitude, _ beta2: ReducedLatitude, azimuth: Double) -> Arc {
        let sineAlpha1 = azimuth == .pi ? 0 : sin(azimuth)
        let cosineAlpha1 = cos(azimuth)
        let sineAlpha0 = sineAlpha1 * beta1.cosine
        // cos α₁ cos β₁ and cos α₂ cos β₂ (equation 45). The difference of the squares is computed without
        // cancellation: from the cosines near the poles, from the sines near the equator.
        let difference =
            beta1.sine < -0.7
            ? (beta2.cosine - beta1.cosine) * (beta2.cosine + beta1.cosine)
            : (beta1.sine - beta2.sine) * (beta1.sine + beta2.sine)
        let north1 = cosineAlpha1 * beta1.cosine
        let north2 = max(0, north1 * north1 + difference).squareRoot()

        // The arc lengths σ₁ and σ₂ from the equator on the auxiliary sphere (equation 11). Their sines are sin β and
        // their cosines are north, both divided by cos α₀. Nothing below needs that division.
        let cosine1Sine2 = north1 * beta2.sine
        let sine1Cosine2 = beta1.sine * north2
        let cosines = north1 * north2
        let sines = beta1.sine * beta2.sine
        let sineSigma12 = abs(cosine1Sine2 - sine1Cosine2)
        let sigma12 = atan2(sineSigma12, cosines + sines)
        // The longitude on the auxiliary sphere (equation 12).
        let omega12 = atan2(sineAlpha0 * sineSigma12, cosines + sineAlpha0 * sineAlpha0 * sines)

        // k² sin² σ is half of e'² (cos² α₀ − cos² α₀ cos 2σ), and 2σ is σ₁ + σ₂ plus a part of σ₁₂.
        let cosineAlpha0Squared = beta1.sine * beta1.sine + north1 * north1
        var lengthIntegral = 0.0
        var longitudeIntegral = 0.0
        var reducedLengthIntegral = 0.0
        func add(_ cosine2Sigma: Double, weight: Double) {
            let kSquared = secondEccentricitySquared / 2 * (cosineAlpha0Squared - cosine2Sigma)
            let root = (1 + kSquared).squareRoot()
            lengthIntegral += weight * (kSquared / (1 + root))
            longitudeIntegral += weight * ((2 - flattening) / (1 + (1 - flattening) * root))
            reducedLengthIntegral += weight * (kSquared / root)
        }
        for index in Self.nodes.indices {
            let offset = sigma12 * Self.nodes[index]
            let even = (cosines - sines) * cos(offset)
            let odd = (cosine1Sine2 + sine1Cosine2) * sin(offset)
            add(even - odd, weight: Self.weights[index])
            add(even + odd, weight: Self.weights[index])
        }
        let halfSigma12 = sigma12 / 2

        // m₁₂ / b (equation 38), times cos² α₀.
        let reducedLength =
            (1 + secondEccentricitySquared * beta2.sine * beta2.sine).squareRoot() * cosine1Sine2
            - (1 + secondEccentricitySquared * beta1.sine * beta1.sine).squareRoot() * sine1Cosine2
            - cosines * halfSigma12 * reducedLengthIntegral
        return Arc(
            length: polarRadius * (sigma12 + halfSigma12 * lengthIntegral),
            longitudeDifference: omega12 - flattening * sineAlpha0 * halfSigma12 * longitudeIntegral,
            slope: (1 - flattening) * reducedLength / (cosineAlpha0Squared * north2),
            sineAlpha0: sineAlpha0)
    }

    /// Gauss-Legendre quadrature of order 12 on −1 to 1: the positive nodes and their weights (Abramowitz and Stegun,
    /// table 25.4). Over half of the globe it is correct to a nanometre; order 10 is off by 0.1 μm.
    private static let nodes: InlineArray<6, Double> = [
        0.12523340851146892, 0.36783149899818019, 0.58731795428661745,
        0.76990267419430469, 0.90411725637047486, 0.98156063424671925,
    ]
    private static let weights: InlineArray<6, Double> = [
        0.24914704581340279, 0.23349253653835481, 0.20316742672306592,
        0.16007832854334623, 0.10693932599531843, 0.047175336386511827,
    ]
}
