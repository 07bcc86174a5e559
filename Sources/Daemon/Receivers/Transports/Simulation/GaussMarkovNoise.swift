import Glibc

/// An error that wanders like a receiver's: normally distributed, with similar values at similar times (a first-order
/// Gauss-Markov process).
struct GaussMarkovNoise {
    /// The standard deviation.
    let sigma: Double
    /// The time in seconds until the correlation of two values has dropped to 1/e.
    let correlationTime: Double
    private(set) var value: Double

    init(sigma: Double, correlationTime: Double, using random: inout SeededRandom) {
        self.sigma = sigma
        self.correlationTime = correlationTime
        value = sigma * random.normal()
    }

    mutating func advance(bySeconds seconds: Double, using random: inout SeededRandom) {
        let correlation = exp(-max(0, seconds) / correlationTime)
        value = correlation * value + sigma * (1 - correlation * correlation).squareRoot() * random.normal()
    }
}
