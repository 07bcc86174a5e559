import Foundation
import LocationClient
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct LastLocationsTests {
    private let locations = LastLocations()

    private func location(at seconds: Double) -> CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 47.5, longitude: 8.75), altitude: 0, horizontalAccuracy: 5,
            verticalAccuracy: -1, timestamp: Date(timeIntervalSince1970: 1_780_000_000 + seconds))
    }

    private func state(
        _ status: AuthorizationStatus, accuracy: AccuracyAuthorization = .full
    ) -> AuthorizationState {
        AuthorizationState(status: status, accuracy: accuracy, servicesEnabled: true)
    }

    @Test func theNewestIsKept() {
        #expect(locations.last(for: .best) == nil)
        let first = location(at: 0)
        locations.received(first, for: .best)
        #expect(locations.last(for: .hundredMeters) === first)
        let second = location(at: 1)
        locations.received(second, for: .kilometer)
        #expect(locations.last(for: .best) === second)
        // Another stream delivers the same fixes a moment later.
        locations.received(location(at: 0), for: .best)
        #expect(locations.last(for: .best) === second)
    }

    @Test func aClockThatIsSetBackDoesNotHoldUpLocations() {
        locations.received(location(at: 1000), for: .best)
        let earlier = location(at: 0)
        locations.received(earlier, for: .best)
        #expect(locations.last(for: .best) === earlier)
    }

    /// An event through the socket that starts the app, for example.
    @Test func aLocationThatWasSentLateDoesNotReplaceANewerOne() {
        let newest = location(at: 1000)
        locations.received(newest, for: .best)
        locations.received(location(at: 0), for: .best, isCurrent: false)
        #expect(locations.last(for: .best) === newest)
    }

    /// The daemon may know a newer one than an app that has no stream.
    @Test func aLocationIsCurrentWhileAStreamDelivers() {
        let answer = location(at: 0)
        locations.received(answer, for: .best)
        #expect(locations.last(for: .best) === answer && locations.current(for: .best) == nil)
        let feed = LocationFeed(locations, for: .hundredMeters)
        let stream = feed.opening { CancellationHandle {} }
        // It has not delivered anything yet.
        #expect(locations.current(for: .best) == nil)
        let delivered = location(at: 1)
        feed.received(delivered)
        #expect(locations.current(for: .best) === delivered && locations.current(for: .reduced) == nil)
        let other = LocationFeed(locations, for: .best)
        let second = other.opening { CancellationHandle {} }
        other.received(delivered)
        stream.cancel()
        #expect(locations.current(for: .best) === delivered)
        second.cancel()
        #expect(locations.current(for: .best) == nil && locations.last(for: .best) === delivered)
    }

    @Test func aStreamThatGoesOnBringsNoLocationBackAfterAReduction() {
        locations.authorizationChanged(to: state(.authorizedAlways))
        let feed = LocationFeed(locations, for: .best)
        feed.received(location(at: 0))
        locations.authorizationChanged(to: state(.authorizedAlways, accuracy: .reduced))
        #expect(locations.current(for: .best) == nil)
    }

    @Test func oneRequestAtATimeWaitsForTheDaemon() {
        #expect(locations.beginRequest())
        #expect(!locations.beginRequest())
        locations.endRequest()
        #expect(locations.beginRequest())
    }

    @Test func whatWasRequestedWithReducedAccuracyIsKeptApart() {
        let full = location(at: 0)
        locations.received(full, for: .best)
        #expect(locations.last(for: .reduced) == nil)
        let reduced = location(at: 5)
        locations.received(reduced, for: .reduced)
        #expect(locations.last(for: .reduced) === reduced)
        #expect(locations.last(for: .best) === full)
    }

    @Test(arguments: [AuthorizationStatus.denied, .restricted, .notDetermined])
    func aRevocationLeavesNothing(status: AuthorizationStatus) {
        locations.authorizationChanged(to: state(.authorizedWhenInUse))
        locations.received(location(at: 0), for: .best)
        locations.received(location(at: 0), for: .reduced)
        locations.authorizationChanged(to: state(status))
        #expect(locations.last(for: .best) == nil && locations.last(for: .reduced) == nil)
        // It was on its way.
        locations.received(location(at: 1), for: .best)
        #expect(locations.last(for: .best) == nil)
        locations.authorizationChanged(to: state(.authorizedAlways))
        #expect(locations.last(for: .best) == nil)
        locations.received(location(at: 2), for: .best)
        #expect(locations.last(for: .best) != nil)
    }

    /// The stream and the connection for the authorization report the same change, in either order.
    @Test(arguments: [false, true]) func theReducedLocationAfterAReductionStays(streamIsFirst: Bool) {
        let reduced = state(.authorizedAlways, accuracy: .reduced)
        locations.authorizationChanged(to: state(.authorizedAlways))
        let feed = LocationFeed(locations, for: .best)
        feed.received(location(at: 0))
        if !streamIsFirst { locations.authorizationChanged(to: reduced) }
        locations.streamReported(reduced)
        #expect(locations.last(for: .best) == nil)
        let cell = location(at: 1)
        feed.received(cell)
        if streamIsFirst { locations.authorizationChanged(to: reduced) }
        #expect(locations.current(for: .best) === cell)
    }

    /// A report that was on its way does not undo a denial.
    @Test func aStreamDoesNotUndoADenial() {
        locations.authorizationChanged(to: state(.denied))
        locations.streamReported(state(.authorizedAlways, accuracy: .reduced))
        locations.received(location(at: 0), for: .best)
        #expect(locations.last(for: .best) == nil)
    }

    @Test func reducedAccuracyLeavesNothing() {
        locations.authorizationChanged(to: state(.authorizedAlways))
        locations.received(location(at: 0), for: .best)
        locations.authorizationChanged(to: state(.authorizedWhenInUse))
        #expect(locations.last(for: .best) != nil)
        locations.authorizationChanged(to: state(.authorizedWhenInUse, accuracy: .reduced))
        #expect(locations.last(for: .best) == nil)
        let reduced = location(at: 1)
        locations.received(reduced, for: .best)
        locations.authorizationChanged(to: state(.authorizedWhenInUse))
        #expect(locations.last(for: .best) === reduced)
    }

    @Test func anAppThatWasStartedForALocationKeepsItBeforeTheDaemonAnswers() {
        locations.received(location(at: 0), for: .best)
        locations.authorizationChanged(to: .daemonUnreachable)
        #expect(locations.last(for: .best) != nil)
        locations.authorizationChanged(to: state(.denied))
        #expect(locations.last(for: .best) == nil)
    }
}
