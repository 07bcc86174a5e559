import CoreLocation
import Testing

@Suite struct ErrorTests {
    private static let denied: any Error = CLError(.denied)

    @Test func isFoundAsAnErrorOfItsType() throws {
        let error = try #require(Self.denied as? CLError)
        #expect(error.code == .denied)
        #expect(error.errorCode == 1)
        #expect(CLError.denied == CLError.Code.denied)
        if case CLError.denied = error.code {} else { Issue.record("the pattern does not match") }
    }

    @Test func isFoundAsAnNSError() {
        #expect((Self.denied as NSError).domain == "kCLErrorDomain")
        #expect((Self.denied as NSError).code == 1)
        #expect(Self.denied._domain == kCLErrorDomain)
        #expect(Self.denied._code == CLError.Code.denied.rawValue)
    }

    @Test(arguments: [CLError(.denied) as any Error, NSError(domain: kCLErrorDomain, code: 1)])
    func isCaught(error: any Error) {
        do {
            throw error
        } catch CLError.network {
            Issue.record("caught as another code")
        } catch CLError.denied {
            // The expected case.
        } catch {
            Issue.record("not caught")
        }
    }

    @Test func anErrorOfAnotherDomainIsNotCaught() {
        do {
            throw NSError(domain: NSPOSIXErrorDomain, code: 1)
        } catch CLError.denied {
            Issue.record("caught, and is another error")
        } catch {
            #expect((error as NSError).domain == NSPOSIXErrorDomain)
        }
    }

    @Test func theDescriptionIsApples() {
        let text = "The operation couldn’t be completed. (kCLErrorDomain error 0.)"
        let error: any Error = CLError(.locationUnknown)
        #expect(error.localizedDescription == text)
        #expect((error as NSError).localizedDescription == text)
        #expect(CLError(.locationUnknown).localizedDescription == text)
        let own = CLError(.locationUnknown, userInfo: [NSLocalizedDescriptionKey: "lost"])
        #expect(own.localizedDescription == "lost")
    }

    @Test func userInfo() {
        #expect(CLError(.denied).userInfo.isEmpty)
        let region = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 1, identifier: "r")
        let error = CLError(.regionMonitoringFailure, userInfo: [kCLErrorUserInfoAlternateRegionKey: region])
        #expect(error.alternateRegion === region)
        #expect((error as NSError).userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion === region)
        #expect(CLError(.denied).alternateRegion == nil)
    }

    @Test func equalityIsOfCodeAndUserInfo() {
        #expect(CLError(.denied) == CLError(.denied))
        #expect(CLError(.denied) != CLError(.network))
        #expect(CLError(.denied) != CLError(.denied, userInfo: ["a": 1]))
        #expect(CLError(.denied, userInfo: ["a": 1]) == CLError(.denied, userInfo: ["a": 1]))
        #expect(Set([CLError(.denied), CLError(.denied), CLError(.network)]).count == 2)
    }

    @Test func codes() {
        let codes: [CLError.Code] = [
            .locationUnknown, .denied, .network, .headingFailure, .regionMonitoringDenied, .regionMonitoringFailure,
            .regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed, .geocodeFoundNoResult,
            .geocodeFoundPartialResult, .geocodeCanceled, .deferredFailed, .deferredNotUpdatingLocation,
            .deferredAccuracyTooLow, .deferredDistanceFiltered, .deferredCanceled, .rangingUnavailable,
            .rangingFailure, .promptDeclined, .historicalLocationError,
        ]
        #expect(codes.map(\.rawValue) == Array(0...19))
    }

    @Test func pushErrors() {
        let codes: [CLLocationPushServiceError.Code] = [
            .unknown, .missingPushExtension, .missingPushServerEnvironment, .missingEntitlement, .unsupportedPlatform,
        ]
        #expect(codes.map(\.rawValue) == Array(0...4))
        do {
            throw CLLocationPushServiceError(.unsupportedPlatform)
        } catch CLLocationPushServiceError.unsupportedPlatform {
            // The expected case.
        } catch {
            Issue.record("not caught")
        }
    }
}
