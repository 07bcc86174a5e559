import LocationClient
import LocationModel
import Testing

@testable import CoreLocationDaemon

@Suite struct SharedStreamStateTests {
    private let full = AuthorizationState(status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)
    private let reduced = AuthorizationState(status: .authorizedWhenInUse, accuracy: .reduced, servicesEnabled: true)

    private func location(accuracy: Double) -> LocationUpdate {
        var location = Location(timestamp: Timestamp(millisecondsSince1970: 0), latitude: 1, longitude: 2)
        location.horizontalAccuracy = accuracy
        return .location(location)
    }

    /// Attack: a consumer joins after the reduction was reported, but before the stream reports it.
    @Test func aLocationFromBeforeAReductionIsForgotten() {
        var state = SharedStreamState()
        state.received(location(accuracy: 3))
        #expect(state.last?.horizontalAccuracy == 3)
        state.authorizationChanged(to: reduced)
        #expect(state.last == nil)

        state.received(location(accuracy: 3))
        state.received(.authorizationChanged(reduced))
        #expect(state.last == nil)
    }

    /// There is one reduced location in a quarter of an hour: a consumer that joins must not miss it because two
    /// connections reported the reduction.
    @Test func theFirstLocationAfterAReductionIsKept() {
        var state = SharedStreamState()
        state.received(location(accuracy: 3))
        state.received(.authorizationChanged(reduced))
        state.received(location(accuracy: 8500))
        state.authorizationChanged(to: reduced)
        #expect(state.last?.horizontalAccuracy == 8500)

        state.authorizationChanged(to: full)
        #expect(state.last == nil)
    }

    @Test func anInterruptionLastsUntilTheNextLocation() {
        var state = SharedStreamState()
        state.received(location(accuracy: 3))
        state.received(.receiverLost)
        #expect(state.last == nil)
        #expect(state.interruption == .receiverLost)
        state.received(location(accuracy: 4))
        #expect(state.interruption == nil)

        state.received(.paused(last: nil))
        #expect(state.isPaused)
        state.received(.resumed)
        #expect(!state.isPaused)
        state.ended()
        #expect(state.last == nil)
    }
}
