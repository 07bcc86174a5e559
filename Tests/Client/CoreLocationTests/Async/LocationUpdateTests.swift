import Testing

@testable import CoreLocation

@Suite struct LocationUpdateTests {
    @Test func updatesComeFromTheBackendThatTheyWereMadeWith() async throws {
        let backend = ScriptedBackend()
        var first = CLLocationUpdate()
        first.location = CLLocation(latitude: 1, longitude: 2)
        var second = CLLocationUpdate()
        second.stationary = true
        backend.updates = [first, second]
        let updates = Backend.$current.withValue(backend) { CLLocationUpdate.liveUpdates(.fitness) }
        #expect(backend.calls.isEmpty)
        var seen: [CLLocationUpdate] = []
        for try await update in updates { seen.append(update) }
        #expect(seen.map(\.location) == [first.location, nil])
        #expect(seen.map(\.stationary) == [false, true])
        #expect(backend.calls == ["liveUpdates fitness"])
        var iterator = updates.makeAsyncIterator()
        #expect(try await iterator.next()?.location === first.location)
    }

    @Test func anUpdateSaysNothingByItself() {
        let update = CLLocationUpdate()
        #expect(update.location == nil)
        let flags = [
            update.stationary, update.authorizationDenied, update.authorizationDeniedGlobally,
            update.authorizationRestricted, update.insufficientlyInUse, update.locationUnavailable,
            update.accuracyLimited, update.serviceSessionRequired, update.authorizationRequestInProgress,
        ]
        #expect(!flags.contains(true))
    }
}
