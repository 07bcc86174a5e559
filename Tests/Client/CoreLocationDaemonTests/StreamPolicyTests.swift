import LocationClient
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct StreamPolicyTests {
    private func state(
        _ status: AuthorizationStatus, accuracy: AccuracyAuthorization = .full
    ) -> AuthorizationState {
        AuthorizationState(status: status, accuracy: accuracy, servicesEnabled: true)
    }

    @Test func itIsOpenWhileItIsWantedAndAllowed() {
        var policy = StreamPolicy()
        #expect(policy.authorizationChanged(to: state(.authorizedWhenInUse)).isEmpty)
        #expect(policy.start() == [.open])
        #expect(policy.start().isEmpty)
        #expect(policy.authorizationChanged(to: state(.authorizedAlways)).isEmpty)
        #expect(policy.reopen() == [.close, .open])
        #expect(policy.stop() == [.close])
        #expect(policy.authorizationChanged(to: state(.authorizedAlways)).isEmpty)
    }

    @Test func nothingIsReportedBeforeADecision() {
        var policy = StreamPolicy()
        #expect(policy.start().isEmpty)
        #expect(policy.authorizationChanged(to: state(.notDetermined)).isEmpty)
        #expect(policy.authorizationChanged(to: state(.authorizedWhenInUse)) == [.open])
    }

    @Test(arguments: [AuthorizationStatus.denied, .restricted])
    func aDenialIsReportedOnceAndEndsNothing(status: AuthorizationStatus) {
        var policy = StreamPolicy()
        #expect(policy.start().isEmpty)
        #expect(policy.authorizationChanged(to: state(status)) == [.fail(.denied)])
        #expect(policy.authorizationChanged(to: state(status, accuracy: .reduced)).isEmpty)
        #expect(policy.authorizationChanged(to: state(.authorizedWhenInUse)) == [.open])
        #expect(policy.authorizationChanged(to: state(status)) == [.close, .fail(.denied)])
        // After another start, the denial is reported again.
        #expect(policy.stop() == [.close])
        #expect(policy.start().isEmpty)
        #expect(policy.authorizationChanged(to: state(status)) == [.fail(.denied)])
    }

    @Test func aRefusalIsReportedAfterItsChange() {
        var policy = StreamPolicy()
        _ = policy.start()
        _ = policy.authorizationChanged(to: state(.authorizedWhenInUse))
        #expect(policy.ended(.notAuthorized(.denied)) == [.retry(afterSeconds: 1)])
        #expect(policy.authorizationChanged(to: state(.denied)) == [.fail(.denied)])
        #expect(policy.retry().isEmpty)
    }

    @Test func aRefusalInTheBackgroundIsTriedAgain() {
        var policy = StreamPolicy()
        _ = policy.start()
        _ = policy.authorizationChanged(to: state(.authorizedWhenInUse))
        #expect(policy.ended(.notAuthorized(.authorizedWhenInUse)) == [.retry(afterSeconds: 5)])
        #expect(policy.retry() == [.open])
    }

    @Test func aFailureIsReportedOnceUntilSomethingComes() {
        var policy = StreamPolicy(failure: .regionMonitoringFailure)
        _ = policy.start()
        _ = policy.authorizationChanged(to: state(.authorizedWhenInUse))
        let refusal = LocationError.limitExceeded(limit: "connections")
        #expect(policy.ended(refusal) == [.fail(.regionMonitoringFailure), .retry(afterSeconds: 5)])
        #expect(policy.retry() == [.open])
        #expect(policy.ended(refusal) == [.retry(afterSeconds: 5)])
        #expect(policy.retry() == [.open])
        policy.received()
        #expect(policy.ended(refusal) == [.fail(.regionMonitoringFailure), .retry(afterSeconds: 5)])
    }

    @Test func reducedAccuracyIsWaitedOut() {
        var policy = StreamPolicy()
        _ = policy.start()
        _ = policy.authorizationChanged(to: state(.authorizedAlways, accuracy: .reduced))
        #expect(policy.ended(.regionMonitoringDenied) == [.fail(.regionMonitoringDenied)])
        #expect(policy.authorizationChanged(to: state(.authorizedAlways)) == [.open])
    }

    @Test func anUnreachableDaemonIsReported() {
        var policy = StreamPolicy()
        #expect(policy.start().isEmpty)
        #expect(policy.authorizationChanged(to: .daemonUnreachable) == [.fail(.locationUnknown)])
        #expect(policy.authorizationChanged(to: state(.authorizedWhenInUse)) == [.open])
    }
}
