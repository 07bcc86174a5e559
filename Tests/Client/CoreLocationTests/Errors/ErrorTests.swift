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

    @Test func anNSErrorIsFoundAsOneOfItsType() throws {
        let foreign: any Error = NSError(domain: kCLErrorDomain, code: 1, userInfo: ["a": 1])
        let error = try #require(foreign as? CLError)
        #expect(error == CLError(.denied, userInfo: ["a": 1]))
        #expect(foreign is CLError)
        do {
            throw foreign
        } catch let error as CLError where error.code == .denied {
            // The expected case.
        } catch {
            Issue.record("not caught")
        }
    }

    @Test(arguments: [
        NSError(domain: NSPOSIXErrorDomain, code: 1), NSError(domain: kCLErrorDomain, code: 20),
        NSError(domain: kCLErrorDomain, code: -1),
    ])
    func anNSErrorOfAnotherDomainOrCodeIsNot(error: NSError) {
        #expect(error as? CLError == nil)
        #expect(error as any Error as? CLError == nil)
    }

    @Test func isMadeOfAnNSError() {
        let foreign = NSError(domain: kCLErrorDomain, code: 8, userInfo: ["a": 1])
        #expect(CLError(_nsError: foreign) == CLError(.geocodeFoundNoResult, userInfo: ["a": 1]))
        let own = CLError(.denied)._nsError
        #expect((own.domain, own.code) == ("kCLErrorDomain", 1))
        #expect(own.localizedDescription == Self.denied.localizedDescription)
    }

    /// The texts of an `NSError` do not stay in the user info.
    @Test func isEqualAfterACastToNSErrorAndBack() {
        let own = CLError(.network, userInfo: [NSLocalizedDescriptionKey: "offline"])
        #expect((Self.denied as NSError) as? CLError == CLError(.denied))
        #expect((own as NSError) as? CLError == own)
        #expect(((own as Any) as? NSError)?.localizedDescription == "offline")
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

    @Test func theDescriptionSaysWhatHappenedAndWhatToDo() {
        let fault = "The app is not authorized to use locations."
        let text = Self.denied.localizedDescription
        #expect(text.hasPrefix("\(fault) Run `locationctl grant APP`"))
        #expect((Self.denied as NSError).localizedDescription == text)
        #expect(CLError(.denied).localizedDescription == text)
        let own = CLError(.locationUnknown, userInfo: [NSLocalizedDescriptionKey: "lost"])
        #expect(own.localizedDescription == "lost")
        // Printed as it is, and as an NSError.
        #expect("\(Self.denied)" == "Error Domain=kCLErrorDomain Code=1 \"\(text)\"")
        #expect("\(own)" == "Error Domain=kCLErrorDomain Code=0 \"lost\"")
        #expect("\(Self.denied as NSError)".hasPrefix("Error Domain=kCLErrorDomain Code=1 \"\(fault)\""))
    }

    @Test(arguments: 0...19)
    func everyCodeIsExplained(number: Int) throws {
        let text = CLError(try #require(CLError.Code(rawValue: number))).localizedDescription
        #expect(text.split(separator: " ").count > 5 && text.hasSuffix(".") && !text.contains("kCLError"), "\(text)")
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
