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
}
