import Glibc

/// Random numbers that are the same for the same seed (SplitMix64; Steele, Lea and Flood 2014).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// A number between 0 and 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A number in `range`.
    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Two independent numbers of the standard normal distribution (Box and Muller 1958).
    mutating func normals() -> (Double, Double) {
        let radius = (-2 * log(1 - unit())).squareRoot()
        let angle = 2 * .pi * unit()
        return (radius * cos(angle), radius * sin(angle))
    }
}
