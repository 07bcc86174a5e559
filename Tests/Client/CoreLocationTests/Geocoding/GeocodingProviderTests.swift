import Contacts
import CoreLocationGeocoding
import Foundation
import Synchronization
import Testing

@testable import CoreLocation

/// Geocoders with a provider of the app's or the machine's.
@Suite struct GeocodingProviderTests {
    /// A provider that records its requests. It answers each by `answer`.
    private final class Provider: GeocodingProvider {
        let requests = Mutex<[String]>([])
        private let answer: @Sendable () async throws -> [GeocodedPlace]

        init(_ answer: @escaping @Sendable () async throws -> [GeocodedPlace]) { self.answer = answer }

        func places(at location: CLLocation, locale: Locale?) async throws -> [GeocodedPlace] {
            requests.withLock { $0.append("\(location.coordinate.latitude) \(locale?.identifier ?? "-")") }
            return try await answer()
        }

        func places(
            named text: String, in region: GeocodingRegion?, locale: Locale?
        ) async throws -> [GeocodedPlace] {
            let near = region.map { "\($0.center.latitude) \($0.radius)" } ?? "-"
            requests.withLock { $0.append("\(text) | \(near) | \(locale?.identifier ?? "-")") }
            return try await answer()
        }
    }

    /// A provider whose answer the test releases, even if its task has been cancelled.
    private struct Gate: Sendable {
        let provider: Provider
        private let opening: AsyncStream<Void>.Continuation

        init() {
            let (openings, opening) = AsyncStream<Void>.makeStream()
            self.opening = opening
            provider = Provider {
                // A cancelled task would not wait for a stream.
                await Task.detached { for await _ in openings { return } }.value
                return [GeocodedPlace(nil, [.locality: "Ulm"])]
            }
        }

        func open() { opening.yield() }
    }

    private let place = CLLocation(latitude: 48, longitude: 11)

    /// Runs `body` in an app with this provider.
    nonisolated(nonsending)
        private func with(_ provider: Provider?, _ body: nonisolated(nonsending) () async throws -> Void) async throws
    {
        try await AppGeocodingSource.$shared.withValue(AppGeocodingSource()) {
            CLGeocoder.provider = provider
            #expect((CLGeocoder.provider as? Provider) === provider)
            try await body()
        }
    }

    @Test func eachRequestReachesTheProvider() async throws {
        let provider = Provider { [GeocodedPlace(nil)] }
        try await with(provider) {
            let geocoder = CLGeocoder()
            let region = CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 3, identifier: "r")
            let german = Locale(identifier: "de_CH")
            let address = CNMutablePostalAddress()
            (address.street, address.city, address.postalCode) = ("Münsterplatz 1", "Ulm", "89073")
            _ = try await geocoder.reverseGeocodeLocation(place)
            _ = try await geocoder.reverseGeocodeLocation(place, preferredLocale: german)
            _ = try await geocoder.geocodeAddressString("Ulm")
            _ = try await geocoder.geocodeAddressString("Ulm", in: region)
            _ = try await geocoder.geocodeAddressString("Ulm", in: region, preferredLocale: german)
            _ = try await geocoder.geocodePostalAddress(address)
            _ = try await geocoder.geocodePostalAddress(address, preferredLocale: german)
        }
        #expect(
            provider.requests.withLock { $0 } == [
                "48.0 -", "48.0 de_CH", "Ulm | - | -", "Ulm | 1.0 3.0 | -", "Ulm | 1.0 3.0 | de_CH",
                "Münsterplatz 1, 89073 Ulm | - | -", "Münsterplatz 1, 89073 Ulm | - | de_CH",
            ])
    }

    @Test func aPlacemarkHasTheValuesOfThePlace() async throws {
        var ulm = GeocodedPlace(place)
        for part in GeocodedPlace.Part.allCases { ulm.address[part] = "\(part)!" }
        ulm.areasOfInterest = ["Münster"]
        ulm.radius = 100
        ulm.timeZone = TimeZone(identifier: "Asia/Tokyo")
        let places = [ulm, GeocodedPlace(nil)]
        let provider = Provider { places }
        try await with(provider) {
            let found = try await CLGeocoder().reverseGeocodeLocation(place)
            #expect(found.count == 2 && found[1].name == nil && found[1].region == nil && found[1].location == nil)
            let first = found[0]
            #expect(first.location === place)
            #expect(first.timeZone?.identifier == "Asia/Tokyo")
            #expect(first.areasOfInterest == ["Münster"])
            let region = try #require(first.region as? CLCircularRegion)
            #expect(region.radius == 100 && region.center.latitude == 48)
            #expect(
                [
                    first.name, first.thoroughfare, first.subThoroughfare, first.locality, first.subLocality,
                    first.administrativeArea, first.subAdministrativeArea, first.postalCode, first.isoCountryCode,
                    first.country, first.inlandWater, first.ocean,
                ] == GeocodedPlace.Part.allCases.map { "\($0)!" })
        }
    }

    @Test func aFailureOfTheProviderIsThatOfTheRequest() async throws {
        struct Other: Error {}
        let failures: [((@Sendable () async throws -> [GeocodedPlace]), CLError.Code)] = [
            ({ [] }, .geocodeFoundNoResult), ({ throw Other() }, .network), ({ throw CLError(.denied) }, .denied),
            ({ throw CancellationError() }, .geocodeCanceled),
        ]
        for (answer, code) in failures {
            try await with(Provider(answer)) {
                await #expect(throws: CLError(code)) {
                    _ = try await CLGeocoder().geocodeAddressString("Ulm")
                }
            }
        }
    }

    @Test func withoutAProviderTheMachinesGeocoderIsAsked() async throws {
        let backend = ScriptedBackend()
        backend.geocodingSource = ScriptedGeocodingSource { query in
            guard case .addresses(let location, nil) = query else { return [] }
            var values = CLPlacemark.Values()
            values.texts["locality"] = "at \(location.coordinate.latitude)"
            return [values]
        }
        try await Backend.$current.withValue(backend) {
            try await with(nil) {
                let found = try await CLGeocoder().reverseGeocodeLocation(place)
                #expect(found.map(\.locality) == ["at 48.0"])
            }
            try await with(Provider { [GeocodedPlace(nil, [.locality: "Ulm"])] }) {
                let found = try await CLGeocoder().reverseGeocodeLocation(place)
                #expect(found.map(\.locality) == ["Ulm"])
            }
        }
    }

    @MainActor @Test func aRequestDuringAnotherOneIsRefused() async throws {
        let gate = Gate()
        try await with(gate.provider) {
            let geocoder = CLGeocoder()
            let (answers, continuation) = AsyncStream<String>.makeStream()
            geocoder.reverseGeocodeLocation(place) { found, error in
                continuation.yield("first \(found?.first?.locality ?? "-") \(error == nil) \(geocoder.isGeocoding)")
            }
            #expect(geocoder.isGeocoding)
            geocoder.geocodeAddressString("Ulm") { found, error in
                continuation.yield("second \(found == nil) \((error as? CLError)?.code == .geocodeCanceled)")
            }
            await #expect(throws: CLError(.geocodeCanceled)) { _ = try await geocoder.geocodeAddressString("Ulm") }
            #expect(geocoder.isGeocoding)
            var lines = answers.makeAsyncIterator()
            #expect(await lines.next() == "second true true")
            gate.open()
            #expect(await lines.next() == "first Ulm true false")
            #expect(gate.provider.requests.withLock(\.count) == 1)
        }
    }

    /// The provider goes on, and its answer comes too late. The next request is one of its own.
    @MainActor @Test func aCancelledRequestEndsWithoutItsProvider() async throws {
        let gate = Gate()
        try await with(gate.provider) {
            let geocoder = CLGeocoder()
            let (answers, continuation) = AsyncStream<Bool>.makeStream()
            geocoder.reverseGeocodeLocation(place) { found, error in
                continuation.yield(found == nil && (error as? CLError)?.code == .geocodeCanceled)
            }
            geocoder.cancelGeocode()
            geocoder.cancelGeocode()
            var results = answers.makeAsyncIterator()
            #expect(await results.next() == true)
            #expect(!geocoder.isGeocoding)
            gate.open()
            let next = Gate()
            CLGeocoder.provider = next.provider
            next.open()
            let found = try await geocoder.reverseGeocodeLocation(place)
            #expect(found.map(\.locality) == ["Ulm"])
        }
    }

    @Test func cancellingEndsAnAsyncRequest() async throws {
        let gate = Gate()
        try await with(gate.provider) {
            // Safe: a geocoder may be used from any thread.
            nonisolated(unsafe) let geocoder = CLGeocoder()
            let request = Task { _ = try await geocoder.geocodeAddressString("Ulm") }
            while !geocoder.isGeocoding { await Task.yield() }
            geocoder.cancelGeocode()
            await #expect(throws: CLError(.geocodeCanceled)) { try await request.value }
            gate.open()
        }
    }
}
