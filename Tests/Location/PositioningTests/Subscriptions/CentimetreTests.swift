import LocationModel
import TestSupport
import Testing

@testable import Positioning

/// A machine whose receiver gets corrections, and an app with a distance filter of some centimetres.
@Suite struct CentimetreTests {
    /// Returns a fix with resolved ambiguities, or without corrections.
    private static func rover(
        _ second: Double, north: Double = 0, east: Double = 0, quality: LocationQuality = .rtkFixed
    ) -> Location {
        var location = fix(
            second, north: north, east: east, accuracy: quality == .rtkFixed ? 0.014 : 3, speed: 0.02)
        location.quality = quality
        return location
    }

    /// Returns an hour of fixes at one place, with errors of 1 cm to the north and to the east.
    private static func standing(seed: UInt64, seconds: Range<Int> = 0..<3600) -> [Location] {
        var random = SeededRandom(seed: seed)
        return seconds.map { second in
            let (north, east) = random.normals()
            return rover(Double(second), north: 0.01 * north, east: 0.01 * east)
        }
    }

    private func subscription(distance: Double? = 0.05) -> SubscriptionRules {
        SubscriptionRules(
            desiredAccuracy: .bestForNavigation, filter: SubscriptionFilter(minimumDistance: distance),
            pausingOn: .otherNavigation)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func aRoverThatStandsIsPausedOnce(seed: UInt64) {
        for distance in [0.02, 0.05, 1] {
            var subscription = subscription(distance: distance)
            let verdicts = Self.standing(seed: seed).map { subscription.consider($0) }
            #expect(verdicts.filter { $0 == .pause }.count == 1, "\(distance) m, seed \(seed)")
            #expect(!verdicts.contains(.resume), "\(distance) m, seed \(seed)")
            #expect(subscription.isPaused)
            // The corrections still flow, so that the next centimetres are noticed.
            #expect(subscription.plan == .continuous)
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func aRoverThatStandsIsSeldomDelivered(seed: UInt64) {
        var filter = SubscriptionFilter(minimumDistance: 0.05)
        let delivered = Self.standing(seed: seed).filter { filter.consider($0) == .deliver }
        // Two errors of 1 cm differ by 5 cm once in 500 times, and more often after a great one.
        #expect((1...80).contains(delivered.count), "\(delivered.count), seed \(seed)")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func aRoverThatCreepsIsNeverPaused(seed: UInt64) {
        var subscription = subscription()
        var random = SeededRandom(seed: seed)
        var delivered: [Location] = []
        for second in 0..<1800 {
            let (north, east) = random.normals()
            let location = Self.rover(Double(second), north: 0.02 * Double(second) + 0.01 * north, east: 0.01 * east)
            let verdict = subscription.consider(location)
            #expect(verdict == .deliver || verdict == .suppress, "\(second) s, seed \(seed)")
            if verdict == .deliver { delivered.append(location) }
        }
        // 36 m in steps of 5 to 8 cm.
        #expect((400...720).contains(delivered.count), "\(delivered.count), seed \(seed)")
        for (a, b) in zip(delivered, delivered.dropFirst()) { #expect(a.distance(to: b) >= 0.05) }
    }

    @Test func aPausedRoverThatCreepsIsNoticedWithinSeconds() {
        var subscription = subscription()
        for location in Self.standing(seed: 7, seconds: 0..<600) { _ = subscription.consider(location) }
        #expect(subscription.isPaused)
        let resumed = (600..<700).first { second in
            subscription.consider(Self.rover(Double(second), north: 0.02 * Double(second - 600))) == .resume
        }
        // 5 cm and 17 cm beyond, and three fixes in a row.
        #expect((610...616).contains(resumed ?? 0), "\(resumed ?? 0)")
    }

    /// A user of Core Location expects a pause at a stop, and has said nothing about centimetres.
    @Test(arguments: [nil, 5.0, 10]) func withoutSuchAFilterACreepingDeviceIsStationary(distance: Double?) {
        var subscription = subscription(distance: distance)
        let verdicts = (0..<300).map { subscription.consider(Self.rover(Double($0), north: 0.02 * Double($0))) }
        #expect(verdicts.contains(.pause) && subscription.plan != .continuous)
    }

    /// Without resolved ambiguities, the receiver wanders by metres, and the receivers may rest.
    @Test func withoutCorrectionsThePauseIsTheUsualOne() {
        var subscription = subscription()
        let verdicts = (0..<3600).map { second in
            let north = second.isMultiple(of: 600) ? 8.0 : Double(second % 7) / 2
            return subscription.consider(Self.rover(Double(second), north: north, quality: .differential))
        }
        #expect(verdicts.filter { $0 == .pause }.count == 1 && !verdicts.contains(.resume))
        #expect(subscription.plan != .continuous)
    }

    /// Attack: an app with reduced accuracy learns from its pauses when a receiver's ambiguities are resolved.
    @Test func aReducedLocationHasNoCentimetres() {
        var subscription = subscription()
        for second in 0..<3600 {
            var location = fix(Double(second), accuracy: 8500)
            location.quality = nil
            #expect(subscription.consider(location) != .pause)
        }
        #expect(!subscription.isPaused)
    }
}
