import Testing

@testable import LogReport

struct PageTextTests {
    @Test(arguments: [
        (0.0, "0 m"), (0.004, "0.00 m"), (1.234, "1.23 m"), (9.996, "10.0 m"), (12.34, "12.3 m"), (123.4, "123 m"),
        (999.6, "1.00 km"), (12_345, "12.3 km"), (40_075_000, "40\u{202F}075 km"),
    ])
    func lengths(_ metres: Double, _ text: String) { #expect(NumberText.length(metres) == text) }

    @Test(
        arguments: [
            (0, "0 s"), (100, "0.10 s"), (1000, "1 s"), (59_000, "59 s"), (60_000, "1 min"), (125_000, "2 min 5 s"),
            (3_600_000, "1 h"), (12_000_000, "3 h 20 min"), (187_200_000, "2 d 4 h"),
        ] as [(Int64, String)])
    func durations(_ milliseconds: Int64, _ text: String) { #expect(NumberText.duration(milliseconds) == text) }

    @Test func timesAreUTCAndCarryTheirMoment() {
        let dated = TimeText(dateOffset: 1_700_000_000_000)
        #expect(dated.element(0) == "<time data-at=\"1700000000000\">2023-11-14 22:13:20</time>")
        #expect(TimeText(dateOffset: nil).element(3_600_000) == "01:00:00", "a time of day has no moment")
    }

    @Test(arguments: [(999, "999"), (1000, "1000"), (10_000, "10\u{202F}000"), (1_234_567, "1\u{202F}234\u{202F}567")])
    func counts(_ number: UInt64, _ text: String) { #expect(NumberText.count(number) == text) }

    @Test(arguments: [(-0.001, 1, "0.0"), (-1.25, 1, "−1.3"), (Double.nan, 1, "–"), (1e300, 2, "1e+300")])
    func numbers(_ value: Double, _ digits: Int, _ text: String) { #expect(NumberText.fixed(value, digits) == text) }

    @Test(arguments: [
        (0.0, 12.0, [0, 2, 4, 6, 8, 10, 12]), (0, 33, [0, 10, 20, 30, 40]), (-6, 4, [-6, -4, -2, 0, 2, 4]),
        (0, 0.4, [0, 0.1, 0.2, 0.3, 0.4]),
        (99.9, 100.3, [99.9, 100, 100.1, 100.2, 100.3]), (5, 5, [5, 5, 5]),
    ])
    func axesHaveRoundTicks(_ low: Double, _ high: Double, _ expected: [Double]) {
        let ticks = AxisTicks.axis(from: low, to: high).ticks
        #expect(ticks.count == expected.count && zip(ticks, expected).allSatisfy { abs($0 - $1) < 1e-5 }, "\(ticks)")
    }

    @Test func anAxisAlwaysHasAFewTicksAndCoversItsRange() {
        for exponent in -5...9 {
            for factor in 1...97 {
                let high =
                    Double(factor)
                    * [1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9][exponent + 5]
                let ticks = AxisTicks.axis(from: -high / 3, to: high).ticks
                #expect((3...8).contains(ticks.count) && ticks.first! <= -high / 3 && ticks.last! >= high * 0.9999999)
            }
        }
    }

    @Test func timeStepsAreRound() {
        #expect(AxisTicks.timeStep(over: 60_000, count: 7) == 10_000)
        #expect(AxisTicks.timeStep(over: 4 * 3_600_000, count: 7) == 3_600_000)
        #expect(AxisTicks.timeStep(over: .max >> 8, count: 7) == AxisTicks.timeSteps.last)
    }
}
