import CoreLocation
import Testing

@Suite struct GeocoderTests {
    private let place = CLLocation(latitude: 48, longitude: 11)

    /// A key whose value is set on the main queue alone.
    private static let mainQueue = DispatchSpecificKey<Bool>()

    /// Returns the error that `request` completes with. The completion handler must be called later, and on the main
    /// queue.
    @MainActor private func answer(
        _ geocoder: CLGeocoder, _ request: (@escaping CLGeocodeCompletionHandler) -> Void,
        then: () -> Void = {}
    ) async -> (any Error)? {
        final class Returned { var isDone = false }
        let returned = Returned()
        DispatchQueue.main.setSpecific(key: Self.mainQueue, value: true)
        let (answers, continuation) = AsyncStream<any Error>.makeStream()
        request { placemarks, error in
            #expect(returned.isDone)
            #expect(DispatchQueue.getSpecific(key: Self.mainQueue) == true)
            #expect(placemarks == nil)
            #expect(!geocoder.isGeocoding)
            if let error { continuation.yield(error) }
            continuation.finish()
        }
        returned.isDone = true
        #expect(geocoder.isGeocoding)
        then()
        for await error in answers { return error }
        return nil
    }

    @MainActor @Test func everyRequestFailsWithoutANetwork() async {
        let geocoder = CLGeocoder()
        #expect(!geocoder.isGeocoding)
        let failures = [
            await answer(geocoder) { geocoder.reverseGeocodeLocation(place, completionHandler: $0) },
            await answer(geocoder) {
                geocoder.reverseGeocodeLocation(place, preferredLocale: nil, completionHandler: $0)
            },
            await answer(geocoder) { geocoder.geocodeAddressString("Ulm", completionHandler: $0) },
            await answer(geocoder) { geocoder.geocodeAddressString("Ulm", in: nil, completionHandler: $0) },
            await answer(geocoder) {
                geocoder.geocodeAddressString("Ulm", in: nil, preferredLocale: nil, completionHandler: $0)
            },
        ]
        #expect(failures.map { ($0 as? CLError)?.code } == Array(repeating: .network, count: 5))
    }

    @MainActor @Test func aCancelledRequestSaysSo() async {
        let geocoder = CLGeocoder()
        let failure = await answer(
            geocoder, { geocoder.geocodeAddressString("Ulm", completionHandler: $0) }, then: geocoder.cancelGeocode)
        #expect((failure as? CLError)?.code == .geocodeCanceled)
        #expect(!geocoder.isGeocoding)
    }

    @Test func asyncRequestsThrow() async {
        let geocoder = CLGeocoder()
        await #expect(throws: CLError(.network)) { _ = try await geocoder.reverseGeocodeLocation(self.place) }
        await #expect(throws: CLError(.network)) { _ = try await geocoder.geocodeAddressString("Ulm") }
        await #expect(throws: CLError(.network)) { _ = try await geocoder.geocodeAddressString("Ulm", in: nil) }
    }

    /// A program may block its main thread until the request ends.
    @MainActor @Test func anAsyncRequestDoesNotWaitForTheMainQueue() {
        let failed = DispatchSemaphore(value: 0)
        Task.detached {
            let geocoder = CLGeocoder()
            do {
                _ = try await geocoder.geocodeAddressString("Ulm")
            } catch {
                if (error as? CLError)?.code == .network, !geocoder.isGeocoding { failed.signal() }
            }
        }
        #expect(failed.wait(timeout: .now() + 600) == .success)
    }

    /// A geocoder of an app's own, which overrides the methods with a completion handler.
    private final class AddressBook: CLGeocoder {
        final class Town: CLPlacemark {
            override var locality: String? { "Ulm" }
        }

        override func reverseGeocodeLocation(
            _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
        ) {
            completionHandler([Town()], nil)
        }

        override func reverseGeocodeLocation(
            _ location: CLLocation, preferredLocale locale: Locale?,
            completionHandler: @escaping CLGeocodeCompletionHandler
        ) {
            completionHandler([Town(), Town()], nil)
        }

        override func geocodeAddressString(
            _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
        ) {
            completionHandler(nil, CLError(.geocodeFoundNoResult))
        }

        override func geocodeAddressString(
            _ addressString: String, in region: CLRegion?, completionHandler: @escaping CLGeocodeCompletionHandler
        ) {
            completionHandler([Town()], CLError(.geocodeFoundPartialResult))
        }

        override func geocodeAddressString(
            _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
            completionHandler: @escaping CLGeocodeCompletionHandler
        ) {
            completionHandler(nil, nil)
        }
    }

    @Test func asyncRequestsReachAnOverriddenMethodWithACompletionHandler() async throws {
        let geocoder = AddressBook()
        let towns = try await geocoder.reverseGeocodeLocation(place)
        #expect(towns.map(\.locality) == ["Ulm"])
        let localized = try await geocoder.reverseGeocodeLocation(place, preferredLocale: nil)
        #expect(localized.count == 2)
        await #expect(throws: CLError(.geocodeFoundNoResult)) {
            _ = try await geocoder.geocodeAddressString("Ulm")
        }
        await #expect(throws: CLError(.geocodeFoundPartialResult)) {
            _ = try await geocoder.geocodeAddressString("Ulm", in: nil)
        }
        let none = try await geocoder.geocodeAddressString("Ulm", in: nil, preferredLocale: nil)
        #expect(none.isEmpty)
    }

    @Test func theFirstCallOfACompletionHandlerCounts() async {
        final class Repeating: CLGeocoder {
            override func reverseGeocodeLocation(
                _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
            ) {
                completionHandler(nil, CLError(.geocodeFoundNoResult))
                completionHandler([], nil)
            }
        }
        let geocoder = Repeating()
        await #expect(throws: CLError(.geocodeFoundNoResult)) {
            _ = try await geocoder.reverseGeocodeLocation(self.place)
        }
    }

    @MainActor @Test func aCancelledAsyncRequestSaysSo() async {
        // On the main actor, the request cannot end before it is cancelled: its result comes through the main queue.
        final class Hasty: CLGeocoder {
            override func geocodeAddressString(
                _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
            ) {
                super.geocodeAddressString(addressString, completionHandler: completionHandler)
                cancelGeocode()
            }
        }
        let geocoder = Hasty()
        await #expect(throws: CLError(.geocodeCanceled)) { _ = try await geocoder.geocodeAddressString("Ulm") }
        #expect(!geocoder.isGeocoding)
    }
}
