import LocationModel
import TestSupport
import Testing

@testable import Positioning

@Suite struct SubscriptionTests {
    private func subscription(
        _ accuracy: DesiredAccuracy = .best, distance: Double? = nil, updates: Int? = nil,
        pausingOn activity: ActivityType? = .other
    ) -> SubscriptionRules {
        SubscriptionRules(
            desiredAccuracy: accuracy,
            filter: SubscriptionFilter(minimumDistance: distance, maximumUpdates: updates), pausingOn: activity)
    }

    /// Returns a track that is stationary until second `end`, then moves at 10 m/s.
    private func restThenMove(until end: Int, for seconds: Int = 30) -> [Location] {
        (0...end + seconds).map { fix(Double($0), north: Double(max(0, $0 - end)) * 10, speed: $0 > end ? 10 : 0) }
    }

    @Test func nothingIsDeliveredAtRest() {
        var subscription = subscription()
        let verdicts = restThenMove(until: 300).map { subscription.consider($0) }
        #expect(verdicts[..<180].allSatisfy { $0 == .deliver })
        #expect(verdicts[180] == .pause)
        // At 10 m/s, the second fix beyond 65 m is the one at 80 m.
        #expect(verdicts[181..<308].allSatisfy { $0 == .suppress })
        #expect(verdicts[308] == .resume)
        #expect(verdicts[309...].allSatisfy { $0 == .deliver })
    }

    /// A remembered place is the same wherever the device is in it. It neither pauses an app nor wakes one.
    @Test func aRememberedPlaceSaysNothingAboutMovement() {
        var subscription = subscription()
        func place(_ second: Int, north: Double = 0) -> Location {
            var location = fix(Double(second), north: north, accuracy: 65)
            location.quality = .remembered
            return location
        }
        for second in 0...400 { #expect(subscription.consider(place(second)) == .deliver) }
        for second in 401...700 { _ = subscription.consider(fix(Double(second), speed: 0)) }
        #expect(subscription.isPaused)
        for second in 701...710 { #expect(subscription.consider(place(second, north: 5000)) == .suppress) }
        #expect(subscription.isPaused)
    }

    @Test(arguments: [nil, ActivityType.airborne])
    func pausesCanBeTurnedOff(activity: ActivityType?) {
        var subscription = subscription(pausingOn: activity)
        for second in 0...2000 { #expect(subscription.consider(fix(Double(second), speed: 0)) == .deliver) }
        #expect(!subscription.isPaused)
        #expect(subscription.plan == .continuous)
    }

    @Test func aPauseIsReportedWhateverTheFilters() {
        var subscription = subscription(distance: 1000)
        let verdicts = (0...200).map { subscription.consider(fix(Double($0), speed: 0)) }
        #expect(verdicts.filter { $0 == .deliver }.count == 1)
        #expect(verdicts[180] == .pause)
    }

    @Test func theFirstLocationAfterAPauseIsDeliveredWhateverTheFilters() {
        var subscription = subscription(distance: 500)
        let verdicts = restThenMove(until: 200, for: 100).map { subscription.consider($0) }
        #expect(verdicts[208] == .resume)
        // The next distance counts from there: 80 m plus 500 m.
        #expect(verdicts[209...].firstIndex(of: .deliver) == 258)
    }

    @Test func theLocationThatResumesMayBeTheLastOne() {
        var subscription = subscription(distance: 500, updates: 2)
        let verdicts = restThenMove(until: 200).map { subscription.consider($0) }
        #expect(verdicts[0] == .deliver)
        #expect(verdicts[208] == .resumeLast)
    }

    // MARK: The receiver plan

    @Test(arguments: [DesiredAccuracy.bestForNavigation, .best, .nearestTenMeters])
    func theBestLevelsAreContinuous(level: DesiredAccuracy) {
        #expect(subscription(level).plan == .continuous)
    }

    @Test func hundredMetersMeansAFixEvery15Seconds() {
        #expect(subscription(.hundredMeters).plan == .every(seconds: 15, accuracy: 100))
    }

    @Test func kilometerMeansAFixEveryMinute() {
        #expect(subscription(.kilometer).plan == .every(seconds: 60, accuracy: 1000))
    }

    @Test func threeKilometersMeansAFixEveryThreeMinutes() {
        #expect(subscription(.threeKilometers).plan == .every(seconds: 180, accuracy: 3000))
    }

    @Test func reducedMeansAFixEveryQuarterOfAnHour() {
        #expect(subscription(.reduced).plan == .every(seconds: 900, accuracy: .infinity))
    }

    @Test(arguments: [
        (DesiredAccuracy.bestForNavigation, 30.0, 25.0), (.best, 30, 25), (.nearestTenMeters, 30, 25),
        (.hundredMeters, 30, 25), (.kilometer, 60, 1000), (.threeKilometers, 180, 3000), (.reduced, 900, .infinity),
    ])
    func pausedMeansAFixEvery30SecondsOrMoreRarely(level: DesiredAccuracy, seconds: Double, accuracy: Double) {
        var subscription = subscription(level)
        for second in 0...180 { _ = subscription.consider(fix(Double(second), speed: 0)) }
        #expect(subscription.isPaused)
        #expect(subscription.plan == .every(seconds: seconds, accuracy: accuracy))
    }

    /// An app that wants a location each minute lets the receivers rest in between; one that wants it each 29 s does
    /// not.
    @Test(arguments: [
        (DesiredAccuracy.best, 29.0, ReceiverPlan.continuous), (.best, 30, .every(seconds: 30, accuracy: 25)),
        (.bestForNavigation, 600, .every(seconds: 600, accuracy: 25)),
        (.hundredMeters, 29, .every(seconds: 15, accuracy: 100)),
        (.hundredMeters, 60, .every(seconds: 60, accuracy: 100)),
        (.threeKilometers, 60, .every(seconds: 180, accuracy: 3000)),
    ])
    func receiversRestForTheMinimumInterval(level: DesiredAccuracy, interval: Double, plan: ReceiverPlan) {
        var rules = SubscriptionRules(
            desiredAccuracy: level, filter: SubscriptionFilter(minimumIntervalSeconds: interval), pausingOn: .other)
        #expect(rules.plan == plan)
        for second in 0...180 { _ = rules.consider(fix(Double(second), speed: 0)) }
        #expect(rules.isPaused)
        #expect(rules.plan == .paused(plan))
    }

    @Test(arguments: [DesiredAccuracy.best, .hundredMeters, .kilometer])
    func whatLooksLikeSettingOffIsFollowedAsAMoveIs(level: DesiredAccuracy) {
        var subscription = subscription(level)
        for second in 0...180 { _ = subscription.consider(fix(Double(second), speed: 0)) }
        #expect(subscription.consider(fix(240, north: 100, speed: 0)) == .suppress)
        #expect(subscription.plan == level.plan)
        #expect(subscription.consider(fix(300, speed: 0)) == .suppress)
        #expect(subscription.plan == .paused(level.plan))
        #expect(subscription.consider(fix(360, speed: 1.4)) == .suppress)
        #expect(subscription.plan == level.plan)
    }

    // MARK: Comparison with independent rules

    /// Random options and tracks: stops, walks, drives, outliers, and absent speeds and accuracies.
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func itDoesWhatTheRuleSays(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        func perhaps<T>(_ value: T) -> T? { random.unit() < 0.5 ? value : nil }
        let options = SubscriptionRule.Options(
            distance: perhaps(random.number(in: 0...200)), interval: perhaps(random.number(in: 0...30)),
            updates: perhaps(Int(random.number(in: 1...300))),
            activity: ActivityType.allCases.randomElement(using: &random))
        var subscription = SubscriptionRules(
            desiredAccuracy: .best,
            filter: SubscriptionFilter(
                minimumDistance: options.distance, minimumIntervalSeconds: options.interval,
                maximumUpdates: options.updates),
            pausingOn: options.activity)
        var rule = SubscriptionRule(options)
        for point in SubscriptionRule.track(using: &random) {
            let location = fix(
                point.seconds, north: point.north, east: point.east, accuracy: point.accuracy, speed: point.speed)
            let verdict = subscription.consider(location)
            #expect(verdict == rule.consider(point), "seed \(seed) at \(point.seconds) s")
            if verdict == .deliverLast || verdict == .resumeLast { break }
        }
    }

    @Test func tenThousandOfThemTakeThreeMegabytes() {
        #expect(MemoryLayout<SubscriptionRules>.stride <= 300)
    }

    /// After a change of accuracy, earlier deliveries do not influence later ones.
    @Test func whatIsResetForgetsPlacesAndKeepsTheCount() {
        var subscription = subscription(distance: 100, updates: 3)
        #expect(subscription.consider(fix(0)) == .deliver)
        #expect(subscription.consider(fix(1, north: 10)) == .suppress)
        subscription.reset()
        #expect(subscription.consider(fix(2, north: 10)) == .deliver)
        #expect(subscription.consider(fix(3, north: 20)) == .suppress)
        #expect(subscription.consider(fix(4, north: 200)) == .deliverLast)
    }

    @Test func whatIsResetIsNotPaused() {
        var subscription = subscription()
        for location in restThenMove(until: 300, for: 0) { _ = subscription.consider(location) }
        #expect(subscription.isPaused)
        subscription.reset()
        #expect(!subscription.isPaused)
        #expect(subscription.consider(fix(301)) == .deliver)
    }
    /// An app that a kilometre is accurate enough for. Only one that wants to know of movements needs nothing of a
    /// device that is still.
    @Test(
        arguments: [
            (500, nil, nil, true), (nil, nil, nil, false), (0, nil, nil, false), (500, 60, nil, false),
            (500, nil, 5, false), (nil, nil, 5, false), (nil, 60, nil, false),
        ] as [(Double?, Double?, Int?, Bool)])
    func aDeviceThatIsStill(distance: Double?, interval: Double?, updates: Int?, isOff: Bool) {
        let filter = SubscriptionFilter(
            minimumDistance: distance, minimumIntervalSeconds: interval, maximumUpdates: updates)
        var subscription = SubscriptionRules(desiredAccuracy: .kilometer, filter: filter, pausingOn: nil)
        #expect(subscription.planWhileStill == subscription.plan)
        #expect(subscription.consider(fix(0)) == .deliver)
        #expect(subscription.planWhileStill == (isOff ? .off : subscription.plan))
    }
}
