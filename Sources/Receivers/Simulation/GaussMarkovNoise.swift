import Glibc

/// An error that wanders as those of a receiver do: its values are normally distributed, and alike when close in time
/// (a first-order Gauss-Markov process).
struct GaussMarkovNoise {
    /// The standard deviation.
    let sigma: Double
    /// The seconds after which two values have little to do with each other: their correlation is 1/e.
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
