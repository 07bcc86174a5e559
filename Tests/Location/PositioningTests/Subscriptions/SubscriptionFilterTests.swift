import LocationModel
import Testing

@testable import Positioning

@Suite struct SubscriptionFilterTests {
    /// Returns the seconds at which a filter delivers.
    private func delivered(_ filter: SubscriptionFilter, _ track: [Location]) -> [Double] {
        var filter = filter
        return track.filter { filter.consider($0) != .suppress }.map {
            Double($0.timestamp.millisecondsSince1970) / 1000
        }
    }

    @Test func everythingPassesByDefault() {
        #expect(delivered(SubscriptionFilter(), (0..<5).map { fix(Double($0)) }).count == 5)
    }

    @Test(arguments: [-1.0, 0])
    func aFilterOfNoDistanceSuppressesNothing(distance: Double) {
        #expect(delivered(SubscriptionFilter(minimumDistance: distance), (0..<3).map { fix(Double($0)) }).count == 3)
    }

    @Test func distanceCountsFromTheLastDelivered() {
        let track = [0, 4, 9, 11, 15, 20, 22].enumerated().map { fix(Double($0), north: $1) }
        #expect(delivered(SubscriptionFilter(minimumDistance: 10), track) == [0, 3, 6])
    }

    @Test(arguments: [(9.999, 1), (10.001, 2)])
    func aMoveOfTheDistanceIsDelivered(metres: Double, count: Int) {
        let track = [fix(0), fix(1, north: metres * 0.6, east: metres * 0.8)]
        #expect(delivered(SubscriptionFilter(minimumDistance: 10), track).count == count)
    }

    @Test func distancesCrossTheAntimeridian() {
        let time = Timestamp(millisecondsSince1970: 0)
        let track = [179.9999, -179.9999, -179.9].map { Location(timestamp: time, latitude: 0, longitude: $0) }
        var filter = SubscriptionFilter(minimumDistance: 100)
        let verdicts = track.map { filter.consider($0) }
        #expect(verdicts == [.deliver, .suppress, .deliver])
    }

    @Test(arguments: [
        (40.0, 20.0, true), (40, 20.1, false), (40, nil, false), (nil, 5, false), (nil, nil, false), (5, 5, false),
    ])
    func aFilteredMoveIsDeliveredOnlyIfAccuracyClearlyImproved(before: Double?, after: Double?, isDelivered: Bool) {
        var filter = SubscriptionFilter(minimumDistance: 100)
        #expect(filter.consider(fix(0, accuracy: before)) == .deliver)
        #expect(filter.consider(fix(1, north: 1, accuracy: after)) == (isDelivered ? .deliver : .suppress))
    }

    @Test func anImprovementCountsFromTheLastDelivered() {
        let track = [40.0, 30, 20, 15, 10].enumerated().map { fix(Double($0), accuracy: $1) }
        #expect(delivered(SubscriptionFilter(minimumDistance: 100), track) == [0, 2, 4])
    }

    @Test func theIntervalCountsFromTheLastDelivered() {
        let track = [0, 1, 2, 2.99, 4, 6].map { fix($0) }
        #expect(delivered(SubscriptionFilter(minimumIntervalSeconds: 3), track) == [0, 2.99, 6])
    }

    @Test(arguments: [(2.979, 1), (2.98, 2)])
    func anEpochMayBeAHairTooEarly(second: Double, count: Int) {
        #expect(delivered(SubscriptionFilter(minimumIntervalSeconds: 3), [fix(0), fix(second)]).count == count)
    }

    /// Where receivers are closed in between, the fix that they were opened for must count.
    @Test(arguments: [(59.49, 1), (59.5, 2)])
    func aFixOfReceiversThatWereClosedMayBeEarlier(second: Double, count: Int) {
        #expect(delivered(SubscriptionFilter(minimumIntervalSeconds: 60), [fix(0), fix(second)]).count == count)
    }

    @Test func aClockThatIsPutBackDoesNotSilenceAnApp() {
        let track = [1e9, 0, 1, 9, 10].map { fix($0) }
        #expect(delivered(SubscriptionFilter(minimumIntervalSeconds: 10), track) == [1e9, 0, 10])
    }

    @Test func distanceAndIntervalHoldTogether() {
        let filter = SubscriptionFilter(minimumDistance: 10, minimumIntervalSeconds: 5)
        let track = [(0.0, 0.0), (2, 50), (5, 9), (6, 50)].map { fix($0, north: $1) }
        #expect(delivered(filter, track) == [0, 6])
    }

    @Test func theLastOneIsMarked() {
        var filter = SubscriptionFilter(minimumDistance: 10, maximumUpdates: 2)
        #expect(filter.consider(fix(0)) == .deliver)
        #expect(filter.consider(fix(1, north: 5)) == .suppress)
        #expect(filter.consider(fix(2, north: 10.1)) == .deliverLast)
    }

    /// Attack: the networks of a remembered place are imitated, so that the place takes the turn of the fix that would
    /// contradict it.
    @Test func attackAProvisionalPlaceIsNoUpdateAndDelaysNoFix() {
        var filter = SubscriptionFilter(minimumDistance: 100, minimumIntervalSeconds: 60, maximumUpdates: 1)
        let place = filter.consider(TimedPosition(fix(0, accuracy: 65), isProvisional: true))
        let again = filter.consider(TimedPosition(fix(10, accuracy: 65), isProvisional: true))
        let next = filter.consider(TimedPosition(fix(11, accuracy: 40)))
        #expect(place == .deliver && again == .suppress && next == .deliverLast)
    }

    @Test func aProvisionalPlaceIsNotEnoughForADeviceThatIsStill() {
        var filter = SubscriptionFilter(minimumDistance: 500)
        _ = filter.consider(TimedPosition(fix(0, accuracy: 65), isProvisional: true))
        #expect(!filter.isSatisfiedWhileStill)
        _ = filter.consider(TimedPosition(fix(1)))
        #expect(filter.isSatisfiedWhileStill)
    }

    @Test(arguments: [1, 0, .min])
    func oneUpdateAtLeastIsDelivered(updates: Int) {
        var filter = SubscriptionFilter(maximumUpdates: updates)
        #expect(filter.consider(fix(0)) == .deliverLast)
    }
}
