import Testing

@testable import LocationModel

/// Numbers that are rounded to some decimals.
@Suite struct RoundedNumberTests {
    private func text(_ value: Double, _ decimals: Int) -> String? {
        RoundedNumber(value, decimals: decimals, maximumDigits: 15).map {
            ($0.isNegative ? "-" : "") + "\($0.whole)\($0.fraction)"
        }
    }

    @Test(
        arguments: [
            (0, 0, "0"), (0, 2, "0.00"), (1.25, 1, "1.3"), (-1.25, 1, "-1.3"), (0.5, 0, "1"), (9.996, 2, "10.00"),
            (12.003, 3, "12.003"), (-0.04, 1, "0.0"), (-0.0, 1, "0.0"), (99_999_999_999_999.5, 1, "99999999999999.5"),
        ] as [(Double, Int, String)])
    func halvesAreRoundedAwayFromZero(value: Double, decimals: Int, expected: String) {
        #expect(text(value, decimals) == expected)
    }

    @Test(arguments: [1e15, -1e15, 1e300, .infinity, -.infinity, .nan] as [Double])
    func aNumberWithMoreDigitsHasNoText(value: Double) {
        #expect(text(value, 0) == nil)
    }
}
