import Testing

@testable import TimeTransfer

private let second: Int64 = 1_000_000_000
private let start: Int64 = 1_790_000_000 * second

@Suite struct PulseSamplerTests {
    /// Returns the sample of a pulse at the beginning of second 0, for an epoch that states `stated` seconds and
    /// arrives `latency` seconds after the pulse, by a wall clock that is off by `wallError` seconds.
    private func measure(
        stated: Double, latency: Double, delay: Double? = nil, wallError: Double = 0
    ) -> TimeSample? {
        var sampler = PulseSampler()
        let pulse = start + Int64((wallError * 1e9).rounded())
        let clocks = ClockReading(wall: pulse + Int64((latency * 1e9).rounded()), steady: second)
        let arrival = EpochArrival(
            statedTime: start + Int64((stated * 1e9).rounded()), origin: .satellites, clocks: clocks)
        return sampler.sample(Pulse(sequence: 1, wallClock: pulse), before: arrival, delay: delay)
    }

    @Test(arguments: [0, 0.123_456_789, -7.5, 0.000_000_5])
    func theOffsetIsThatOfThePulse(wallError: Double) throws {
        let sample = try #require(measure(stated: 0, latency: 0.14, wallError: wallError))
        #expect(abs(sample.offset + wallError) < 1e-9)
        #expect(sample.wallClock == start + Int64((wallError * 1e9).rounded()))
    }

    @Test(
        arguments: [
            // Without a stated delay, the epoch is the last pulse.
            (0, 0, nil, 0), (0, 0.999, nil, 0), (5, 0.1, nil, 5),
            // With a delay of more than a second, the epoch is the pulse before.
            (-1, 0.2, 1.2, 0), (-1, 0.05, 1.2, 0), (-1, 0.4, 1.2, 0), (0, 0.2, 0.2, 0), (0, 0.9, 0.8, 0),
        ] as [(Double, Double, Double?, Double)])
    func theSecondIsThatOfTheEpoch(stated: Double, latency: Double, delay: Double?, expected: Double) throws {
        let sample = try #require(measure(stated: stated, latency: latency, delay: delay))
        #expect(sample.offset == expected)
    }

    @Test(
        arguments: [
            ("before the pulse", 0, -0.001, nil), ("a second after it", 0, 1, nil), ("a missed pulse", 0, 1.14, nil),
            ("an epoch between the seconds", 0.1, 0.2, nil), ("a delay that contradicts it", 0, 0.7, 0.2),
            ("a clock that was set", 0, -3600, nil), ("a clock that was set", 0, 3600, nil),
        ] as [(String, Double, Double, Double?)])
    func anUncertainPulseMakesNoSample(name: String, stated: Double, latency: Double, delay: Double?) {
        #expect(measure(stated: stated, latency: latency, delay: delay) == nil, "\(name)")
    }

    @Test func aPulseCountsOnce() {
        var sampler = PulseSampler()
        let clocks = ClockReading(wall: start + 1000, steady: second)
        let arrival = EpochArrival(statedTime: start, origin: .satellites, clocks: clocks)
        let pulse = Pulse(sequence: .max, wallClock: start)
        #expect(sampler.sample(pulse, before: arrival, delay: nil) != nil)
        #expect(sampler.sample(pulse, before: arrival, delay: nil) == nil)
        #expect(sampler.sample(Pulse(sequence: 0, wallClock: start), before: arrival, delay: nil) != nil)
    }

    @Test func theDelayIsMeasuredAsTheMedian() throws {
        var sampler = PulseSampler()
        for (index, latency) in ([130, 131, 129, 130, 900, 130, 132] as [Int64]).enumerated() {
            receive(index, latency: latency, &sampler)
            #expect(sampler.delay == nil && sampler.spread == nil)
        }
        receive(7, latency: 128, &sampler)
        #expect(sampler.delay == 0.130)
        #expect(try #require(sampler.spread) <= 0.002)
    }

    private func receive(_ index: Int, latency milliseconds: Int64, _ sampler: inout PulseSampler) {
        let moment = start + Int64(index) * second
        let clocks = ClockReading(wall: moment + milliseconds * 1_000_000, steady: Int64(index) * second)
        let arrival = EpochArrival(statedTime: moment, origin: .satellites, clocks: clocks)
        _ = sampler.sample(Pulse(sequence: UInt32(index + 1), wallClock: moment), before: arrival, delay: nil)
    }
}
