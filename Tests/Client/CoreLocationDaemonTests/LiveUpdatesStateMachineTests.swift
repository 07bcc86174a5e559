import LocationClient
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct LiveUpdatesStateMachineTests {
    private let authorized = AuthorizationState(status: .authorizedWhenInUse, accuracy: .full, servicesEnabled: true)
    private let place = Location(
        timestamp: Timestamp(millisecondsSince1970: 1_780_000_000_000), latitude: 47.5, longitude: 8.75)

    @Test func aReasonIsReportedOnce() {
        var machine = LiveUpdatesStateMachine()
        let denied = AuthorizationState(status: .denied, accuracy: .full, servicesEnabled: true)
        #expect(machine.authorizationChanged(to: denied, isRequesting: false)?.authorizationDenied == true)
        #expect(machine.authorizationChanged(to: denied, isRequesting: false) == nil)
        #expect(machine.authorizationChanged(to: authorized, isRequesting: false) == nil)
        let update = machine.received(.location(place))
        #expect(update?.location?.coordinate.latitude == 47.5)
        #expect(update?.authorizationDenied == false)
    }

    @Test func stationaryAndLossAreReported() {
        var machine = LiveUpdatesStateMachine()
        _ = machine.authorizationChanged(to: authorized, isRequesting: false)
        _ = machine.received(.location(place))
        let paused = machine.received(.paused(last: nil))
        #expect(paused?.stationary == true)
        #expect(paused?.location?.coordinate.longitude == 8.75)
        #expect(machine.received(.resumed) == nil)
        #expect(machine.received(.receiverLost)?.locationUnavailable == true)
        #expect(machine.received(.disconnected) == nil, "reported already")
        let found = machine.received(.location(place))
        #expect(found?.locationUnavailable == false && found?.stationary == false)
        #expect(machine.received(.suspended)?.insufficientlyInUse == true)
        #expect(machine.received(.unsuspended) == nil)
        #expect(machine.received(.location(place))?.insufficientlyInUse == false)
    }

    @Test func aChangeInTheBackgroundDoesNotEndTheSuspension() {
        var machine = LiveUpdatesStateMachine()
        _ = machine.authorizationChanged(to: authorized, isRequesting: false)
        _ = machine.received(.suspended)
        let reduced = AuthorizationState(status: .authorizedWhenInUse, accuracy: .reduced, servicesEnabled: true)
        let update = machine.authorizationChanged(to: reduced, isRequesting: false)
        #expect(update?.accuracyLimited == true && update?.insufficientlyInUse == true)
    }

    @Test func reducedAccuracyIsReported() {
        var machine = LiveUpdatesStateMachine()
        let reduced = AuthorizationState(status: .authorizedAlways, accuracy: .reduced, servicesEnabled: true)
        let update = machine.authorizationChanged(to: reduced, isRequesting: false)
        #expect(update?.accuracyLimited == true && update?.location == nil)
        #expect(machine.received(.location(place))?.accuracyLimited == true)
        #expect(machine.authorizationChanged(to: authorized, isRequesting: false) == nil)
        #expect(machine.received(.location(place))?.accuracyLimited == false)
    }

    @Test func aPauseAfterAReductionDoesNotRepeatTheExactLocation() {
        var machine = LiveUpdatesStateMachine()
        _ = machine.authorizationChanged(to: authorized, isRequesting: false)
        _ = machine.received(.location(place))
        let reduced = AuthorizationState(status: .authorizedWhenInUse, accuracy: .reduced, servicesEnabled: true)
        _ = machine.authorizationChanged(to: reduced, isRequesting: false)
        let paused = machine.received(.paused(last: nil))
        #expect(paused?.stationary == true && paused?.location == nil)
    }
}
