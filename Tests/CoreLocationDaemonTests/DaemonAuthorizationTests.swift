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

    @Test func aDelegateIsToldOnceAndOfEachChange() {
        var announcements = AuthorizationAnnouncements()
        #expect(announcements.heard(state(.notDetermined)) == false)
        #expect(announcements.delegateChanged(hasDelegate: true) == true)
        #expect(announcements.heard(state(.notDetermined)) == false)
        #expect(announcements.heard(state(.authorizedWhenInUse)) == true)
        #expect(announcements.heard(state(.authorizedWhenInUse, accuracy: .reduced)) == true)
        #expect(announcements.heard(state(.denied, accuracy: .reduced)) == true)
        #expect(announcements.heard(state(.denied, accuracy: .full)) == false)
        #expect(announcements.delegateChanged(hasDelegate: false) == false)
        #expect(announcements.heard(state(.authorizedAlways)) == false)
        #expect(announcements.delegateChanged(hasDelegate: true) == true)
    }

    @Test func aDelegateThatCameFirstIsToldWhenItIsKnown() {
        var announcements = AuthorizationAnnouncements()
        #expect(announcements.delegateChanged(hasDelegate: true) == false)
        #expect(announcements.heard(state(.notDetermined)) == true)
    }

    @Test func thereIsOneQuestionOfALevel() {
        var questions = AuthorizationRequests()
        #expect(!questions.hasRequested)
        #expect(questions.ask(.whenInUse) == true)
        #expect(questions.ask(.whenInUse) == false)
        #expect(questions.ask(.always) == true)
        #expect(questions.answered(.always, nil) == .nothing)
        #expect(questions.isAsking)
        #expect(questions.answered(.whenInUse, .usageDescriptionMissing) == .reportMissingDescription)
        #expect(!questions.isAsking)
        #expect(questions.hasRequested)
        #expect(questions.ask(.whenInUse) == true)
        #expect(questions.answered(.whenInUse, nil) == .nothing)
    }

    @Test func aQuestionOutlivesTheDaemon() {
        var questions = AuthorizationRequests()
        #expect(questions.ask(.whenInUse) == true)
        let gone = LocationError.daemonUnreachable(path: "/", reason: "")
        #expect(questions.answered(.whenInUse, gone) == .askAgain(afterSeconds: 0.1))
        #expect(questions.isAsking)
        #expect(questions.answered(.whenInUse, gone) == .askAgain(afterSeconds: 0.2))
    }

    @Test func whatAnAppLacks() {
        #expect(Lacks(state(.denied), isAsking: false).authorizationDenied)
        #expect(!Lacks(state(.denied), isAsking: false).authorizationDeniedGlobally)
        #expect(Lacks(state(.denied, servicesEnabled: false), isAsking: false).authorizationDeniedGlobally)
        #expect(Lacks(state(.restricted), isAsking: false).authorizationRestricted)
        #expect(Lacks(state(.notDetermined), isAsking: true).authorizationRequestInProgress)
        #expect(Lacks(state(.notDetermined), isAsking: false).serviceSessionRequired)
        #expect(Lacks(state(.authorizedAlways), isAsking: false) == Lacks())
        #expect(Lacks(.unheard, isAsking: false) == Lacks())
    }
}
