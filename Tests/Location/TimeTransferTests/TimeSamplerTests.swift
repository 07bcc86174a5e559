import TestSupport
import Testing

@testable import TimeTransfer

private let second: Int64 = 1_000_000_000
private let start: Int64 = 1_790_000_000 * second

/// A receiver that states each second, and a machine with a wall clock that is off by a constant.
private struct Trial {
    var sampler = TimeSampler()
    /// The wall clock minus true time, in nanoseconds.
    var wallError: Int64 = 0
    /// The steady clock minus true time, in nanoseconds.
    let steadyError: Int64 = -1_789_999_000 * second

    /// Passes the epoch of `stated` seconds after the start, which arrives `delay` after `moment`.
    mutating func arrive(
        _ stated: Double, moment: Double? = nil, delay: Double = 0.1, origin: TimeOrigin = .satellites
    ) -> Result<TimeSample, SampleRefusal> {
        let trueTime = start + Int64((((moment ?? stated) + delay) * 1e9).rounded())
        let clocks = ClockReading(wall: trueTime + wallError, steady: trueTime + steadyError)
        let arrival = EpochArrival(
            statedTime: start + Int64((stated * 1e9).rounded()), origin: origin, clocks: clocks)
        return Result { () throws(SampleRefusal) in try sampler.sample(arrival, delay: 0.1, now: clocks) }
    }

    /// Passes as many epochs as have to agree, and the next one, which makes a sample.
    mutating func settle(from stated: Double = 0) -> Double {
        for index in 0..<TimeSampler.settlingEpochs { _ = arrive(stated + Double(index)) }
        return stated + Double(TimeSampler.settlingEpochs)
    }
}

@Suite struct TimeSamplerTests {
    @Test(arguments: [0, 250_000_000, -3 * second, 86_400 * second, -start + second])
    func theOffsetIsTrueTimeMinusTheWallClock(wallError: Int64) throws {
        var trial = Trial(wallError: wallError)
        let next = trial.settle()
        let sample = try trial.arrive(next).get()
        #expect(sample.offset == Double(-wallError) / 1e9)
        #expect(sample.wallClock == start + 8 * second + 100_000_000 + wallError)
    }

    @Test func theFirstEpochsMakeNoSample() throws {
        var trial = Trial()
        for index in 0..<TimeSampler.settlingEpochs { #expect(trial.arrive(Double(index)) == .failure(.settling)) }
        _ = try trial.arrive(8).get()
    }

    @Test(arguments: [(TimeOrigin.inferred, SampleRefusal.inferred), (TimeOrigin.invented, SampleRefusal.invented)])
    func onlyTheReceiversOwnTimeMakesASample(origin: TimeOrigin, refusal: SampleRefusal) throws {
        var trial = Trial()
        let next = trial.settle()
        #expect(trial.arrive(next, origin: origin) == .failure(refusal))
        _ = try trial.arrive(next + 1).get()
    }

    /// The statements of a receiver, and their times, after eight good epochs at 0...7 s. None of them may reach the
    /// clock.
    @Test(
        arguments: [
            ("a leap second of the receiver's", 9.0, 8.0), ("a second too little", 7.5, 8.5),
            ("time stands still", 7, 8),
            ("time goes back", 6, 8), ("time goes back by a day", -86_392, 8), ("a backlog", 8, 8.6),
            ("1024 weeks", 619_315_208, 8),
        ] as [(String, Double, Double)])
    func aJumpMakesNoSampleUntilTheEpochsAgreeAgain(name: String, stated: Double, moment: Double) throws {
        var trial = Trial()
        _ = trial.settle()
        #expect(trial.arrive(stated, moment: moment) == .failure(.jump), "\(name)")
        // The receiver goes on from there: that is its new time once it has agreed with itself long enough.
        for index in 1..<TimeSampler.settlingEpochs {
            let result = trial.arrive(stated + Double(index), moment: moment + Double(index))
            #expect(result == .failure(.settling), "\(name), \(index)")
        }
        _ = trial.arrive(stated + 8, moment: moment + 8)
        #expect(throws: Never.self) { try trial.arrive(stated + 9, moment: moment + 9).get() }
    }

    @Test func aSingleLateEpochDoesNotReachTheClock() throws {
        var trial = Trial()
        let next = trial.settle()
        #expect(trial.arrive(next, delay: 0.8) == .failure(.jump))
        #expect(trial.arrive(next + 1) == .failure(.jump))
        var results: [Bool] = []
        for index in 2..<12 { results.append((try? trial.arrive(next + Double(index)).get()) != nil) }
        #expect(results == [false, false, false, false, false, false, false, true, true, true])
    }

    @Test func ordinaryVariationIsSampledAsItIs() throws {
        var trial = Trial()
        var random = SeededRandom(seed: 3)
        let next = trial.settle()
        for index in 0..<40 {
            let delay = 0.1 + Double.random(in: -0.08...0.12, using: &random)
            let sample = try trial.arrive(next + Double(index), delay: delay).get()
            #expect(abs(sample.offset - (0.1 - delay)) < 1e-8)
        }
        let spread = try #require(trial.sampler.spread)
        #expect((40_000_000...120_000_000).contains(spread))
    }

    @Test func theSpreadIsKnownAfter32Epochs() {
        var trial = Trial()
        for index in 0..<31 { _ = trial.arrive(Double(index)) }
        #expect(trial.sampler.spread == nil)
        _ = trial.arrive(31)
        #expect(trial.sampler.spread == 0)
    }

    @Test func afterALongGapTheEpochsHaveToAgreeAgain() throws {
        var trial = Trial()
        let next = trial.settle()
        _ = try trial.arrive(next + 9).get()
        #expect(trial.arrive(next + 20) == .failure(.settling))
    }

    /// The wall clock may be set at any time, by chronyd itself: the sample would mix the old clock with the new one.
    @Test func aClockThatWasSetCostsOneSample() throws {
        var trial = Trial()
        let next = trial.settle()
        trial.wallError = 5 * second
        #expect(trial.arrive(next) == .failure(.clockWasSet))
        #expect(try trial.arrive(next + 1).get().offset == -5)
    }

    @Test func aClockThatIsSetAfterTheArrivalMakesNoSample() throws {
        var trial = Trial()
        _ = trial.settle()
        let clocks = ClockReading(wall: start + 8 * second, steady: start + 8 * second + trial.steadyError)
        let arrival = EpochArrival(statedTime: start + 8 * second, origin: .satellites, clocks: clocks)
        var now = clocks
        now.wall += 3 * second
        now.steady += 1
        #expect(throws: SampleRefusal.clockWasSet) { try trial.sampler.sample(arrival, delay: 0, now: now) }
    }

    @Test func aLeapSecondMakesNoSample() {
        var sampler = TimeSampler()
        let leap = (start / (86_400 * second)) * 86_400 * second + 86_399_990_000_000
        let clocks = ClockReading(wall: leap, steady: second)
        let arrival = EpochArrival(statedTime: leap, origin: .satellites, clocks: clocks)
        #expect(throws: SampleRefusal.leapSecond) { try sampler.sample(arrival, delay: 0, now: clocks) }
    }

    @Test(
        arguments: [
            (Int64.min, Int64.max, Int64.min, 0.0), (.max, .min, .max, 0), (0, 0, 0, .nan), (0, 0, 0, .infinity),
            (0, 0, 0, -1),
            (-1, 0, 0, 0), (0, -1, 0, 0), (0, 0, -1, 0), (TimeSampler.latestTime, 0, 0, 0),
        ] as [(Int64, Int64, Int64, Double)])
    func timesOutOfRangeAreRefused(stated: Int64, wall: Int64, steady: Int64, delay: Double) {
        var sampler = TimeSampler()
        let clocks = ClockReading(wall: wall, steady: steady)
        let arrival = EpochArrival(statedTime: stated, origin: .satellites, clocks: clocks)
        #expect(throws: SampleRefusal.outOfRange) { try sampler.sample(arrival, delay: delay, now: clocks) }
    }

    /// Whatever jumps a receiver's time makes: each sample agrees with the epochs before it but for their variation.
    @Test(arguments: 0..<20) func noSampleIsFarFromTheEpochsBeforeIt(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var trial = Trial()
        var leads: [Double] = []
        var samples = 0
        var stated = 0.0
        for moment in 0..<2000 {
            stated += 1
            if Int.random(in: 0..<12, using: &random) == 0 {
                stated += Double.random(in: 1...5, using: &random) * (Bool.random(using: &random) ? 1 : -1)
            }
            let delay = Double.random(in: 0...0.3, using: &random)
            let lead = stated - Double(moment) - delay
            if case .success = trial.arrive(stated, moment: Double(moment), delay: delay) {
                samples += 1
                let before = leads.suffix(TimeSampler.settlingEpochs)
                #expect(before.count == TimeSampler.settlingEpochs, "seed \(seed)")
                #expect(before.allSatisfy { abs($0 - lead) <= 0.300_001 }, "seed \(seed), epoch \(moment)")
            }
            leads.append(lead)
        }
        #expect(samples > 100, "seed \(seed)")
    }
}
