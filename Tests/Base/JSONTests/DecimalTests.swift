import JSON
import TestSupport
import Testing

/// Numbers with few decimals, which have a faster encoding. The text equals that of `description`.
struct DecimalTests {
    private func text(_ value: Double) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return writer.text
    }

    @Test(
        arguments: [
            0, -0.0, 1, -1, 0.1, -0.1, 0.001, 0.0009, 1e-7, .leastNonzeroMagnitude, 545.4, 359.9, 12.345678,
            -179.999999, 999_999_999,
            999_999_999.999999, 1e9, 1e15, 1e16, 1.7976931348623157e308, 0.1 + 0.2, 1.0 / 3, 4.5, 100, 1_000_000.5,
        ] as [Double])
    func theTextIsTheShortest(value: Double) {
        #expect(text(value) == value.description)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func randomNumbersWithFewDecimals(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            let decimals = Int.random(in: 0...8, using: &random)
            let scale = ([1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8] as [Double])[decimals]
            let value = Double(Int64.random(in: -999_999_999_999...999_999_999_999, using: &random)) / scale
            #expect(text(value) == value.description, "seed \(seed)")
        }
    }
}
