import LocationClient
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct DaemonAuthorizationTests {
    private func state(
        _ status: AuthorizationStatus, accuracy: AccuracyAuthorization = .full, servicesEnabled: Bool = true
    ) -> AuthorizationState {
        AuthorizationState(status: status, accuracy: accuracy, servicesEnabled: servicesEnabled)
    }

    @Test func aDelegateIsNotifiedOnceAndOfEachChange() {
        var announcements = AuthorizationAnnouncements()
        #expect(announcements.authorizationChanged(to: state(.notDetermined)) == false)
        #expect(announcements.delegateChanged(hasDelegate: true) == true)
        #expect(announcements.authorizationChanged(to: state(.notDetermined)) == false)
        #expect(announcements.authorizationChanged(to: state(.authorizedWhenInUse)) == true)
        #expect(announcements.authorizationChanged(to: state(.authorizedWhenInUse, accuracy: .reduced)) == true)
        #expect(announcements.authorizationChanged(to: state(.denied, accuracy: .reduced)) == true)
        #expect(announcements.authorizationChanged(to: state(.denied, accuracy: .full)) == false)
        #expect(announcements.delegateChanged(hasDelegate: false) == false)
        #expect(announcements.authorizationChanged(to: state(.authorizedAlways)) == false)
        #expect(announcements.delegateChanged(hasDelegate: true) == true)
    }

    @Test func aDelegateThatCameFirstIsNotifiedWhenItIsKnown() {
        var announcements = AuthorizationAnnouncements()
        #expect(announcements.delegateChanged(hasDelegate: true) == false)
        #expect(announcements.authorizationChanged(to: state(.notDetermined)) == true)
    }

    @Test func thereIsOneRequestForALevel() {
        var requests = AuthorizationRequests()
        #expect(!requests.hasRequested)
        #expect(requests.add(.whenInUse) == true)
        #expect(requests.add(.whenInUse) == false)
        #expect(requests.add(.always) == true)
        #expect(requests.answered(.always, nil) == .nothing)
        #expect(requests.isRequesting)
        #expect(requests.answered(.whenInUse, .usageDescriptionMissing) == .reportMissingDescription)
        #expect(!requests.isRequesting)
        #expect(requests.hasRequested)
        #expect(requests.add(.whenInUse) == true)
        #expect(requests.answered(.whenInUse, nil) == .nothing)
    }

    @Test func aRequestOutlivesTheDaemon() {
        var requests = AuthorizationRequests()
        #expect(requests.add(.whenInUse) == true)
        let gone = LocationError.daemonUnreachable(path: "/", reason: "")
        #expect(requests.answered(.whenInUse, gone) == .retry(afterSeconds: 0.1))
        #expect(requests.isRequesting)
        #expect(requests.answered(.whenInUse, gone) == .retry(afterSeconds: 0.2))
    }

    @Test func theReasonsFollowFromTheAuthorization() {
        #expect(UnavailabilityReasons(state(.denied), isRequesting: false).authorizationDenied)
        #expect(!UnavailabilityReasons(state(.denied), isRequesting: false).authorizationDeniedGlobally)
        let servicesOff = state(.denied, servicesEnabled: false)
        #expect(UnavailabilityReasons(servicesOff, isRequesting: false).authorizationDeniedGlobally)
        #expect(UnavailabilityReasons(state(.restricted), isRequesting: false).authorizationRestricted)
        #expect(UnavailabilityReasons(state(.notDetermined), isRequesting: true).authorizationRequestInProgress)
        #expect(UnavailabilityReasons(state(.notDetermined), isRequesting: false).serviceSessionRequired)
        #expect(UnavailabilityReasons(state(.authorizedAlways), isRequesting: false) == UnavailabilityReasons())
        #expect(UnavailabilityReasons(.daemonUnreachable, isRequesting: false) == UnavailabilityReasons())
    }
}
