import Glibc
import TestSupport

extension SeededRandom {
    /// Returns a number between 0 and 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a number in `range`.
    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Returns two independent numbers of the standard normal distribution (Box and Muller 1958).
    mutating func normals() -> (Double, Double) {
        let radius = (-2 * log(1 - unit())).squareRoot()
        let angle = 2 * .pi * unit()
        return (radius * cos(angle), radius * sin(angle))
    }
}
