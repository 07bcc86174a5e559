import Testing

@testable import Positioning

@Suite struct SubscriptionFilterTests {
    /// A track to the north: seconds, metres from the start, and how accurate the fix is.
    private func location(_ seconds: Double, _ metres: Double, accuracy: Double? = 5) -> Location {
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: Int64(seconds * 1000)), latitude: metres / 110_574.39,
            longitude: 10)
        location.horizontalAccuracy = accuracy
        return location
    }

    private func deliveredMetres(_ filter: SubscriptionFilter, _ track: [Location]) -> [Double] {
        var filter = filter
        return track.filter { filter.consider($0) != .suppress }.map { ($0.latitude * 110_574.39).rounded() }
    }

    @Test func everythingPassesWithoutAWish() {
        let track = (0..<5).map { location(Double($0), 0) }
        #expect(deliveredMetres(SubscriptionFilter(), track).count == 5)
    }

    @Test func distanceCountsFromTheLastDelivered() {
        let track = [0, 4, 9, 11, 15, 20, 22].enumerated().map { location(Double($0), $1) }
        #expect(deliveredMetres(SubscriptionFilter(minimumDistance: 10), track) == [0, 11, 22])
    }

    @Test func clearlyBetterAccuracyIsDeliveredWithoutAMove() {
        let track = [
            location(0, 0, accuracy: 40), location(1, 1, accuracy: 30), location(2, 2, accuracy: 20),
            location(3, 3, accuracy: 15), location(4, 4, accuracy: 10), location(5, 5, accuracy: nil),
        ]
        #expect(deliveredMetres(SubscriptionFilter(minimumDistance: 100), track) == [0, 2, 4])
    }

    @Test func intervalCountsFromTheLastDelivered() {
        let track = [0, 1, 2, 2.99, 4, 6].map { location($0, $0) }
        #expect(deliveredMetres(SubscriptionFilter(minimumIntervalSeconds: 3), track) == [0, 3, 6])
    }

    @Test func theLastOneIsMarked() {
        var filter = SubscriptionFilter(minimumDistance: 10, maximumUpdates: 2)
        #expect(filter.consider(location(0, 0)) == .deliver)
        #expect(filter.consider(location(1, 5)) == .suppress)
        #expect(filter.consider(location(2, 10.1)) == .deliverLast)
    }

    @Test func aFilterOfNoDistanceSuppressesNothing() {
        let track = (0..<3).map { location(Double($0), 0) }
        #expect(deliveredMetres(SubscriptionFilter(minimumDistance: -1), track).count == 3)
        #expect(deliveredMetres(SubscriptionFilter(minimumDistance: 0), track).count == 3)
    }
}

@Suite struct OneShotRequestTests {
    private func location(_ seconds: Int64, accuracy: Double?) -> Location {
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: seconds * 1000), latitude: 1, longitude: 2)
        location.horizontalAccuracy = accuracy
        return location
    }

    /// What each location does to a request, in turn.
    private func answers(_ request: inout OneShotRequest, _ accuracies: [Double?]) -> [Bool] {
        var answers: [Bool] = []
        for (second, accuracy) in accuracies.enumerated() {
            answers.append(request.isSatisfied(by: location(Int64(second), accuracy: accuracy)))
        }
        return answers
    }

    @Test func theFirstThatIsGoodEnoughAnswers() {
        var request = OneShotRequest(desiredAccuracy: .nearestTenMeters)
        #expect(answers(&request, [nil, 30, 40, nil]) == [false, false, false, false])
        #expect(request.best?.horizontalAccuracy == 30)
        #expect(answers(&request, [10]) == [true])
    }

    @Test func oneOfUnknownAccuracyIsBetterThanNone() {
        var request = OneShotRequest(desiredAccuracy: .best)
        #expect(request.best == nil)
        #expect(answers(&request, [nil]) == [false])
        #expect(request.best != nil)
    }
}
