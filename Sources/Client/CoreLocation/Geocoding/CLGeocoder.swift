import Foundation

/// A closure that receives the result of a geocoding request: placemarks or an error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// An object that converts between addresses and coordinates, by a geocoder of the app's own or of the machine's.
///
/// An app sets its own with the module `CoreLocationGeocoding`. Otherwise, requests go to the service that the
/// machine's administrator has named in locationd's configuration, and fail with `CLError.network` without one, as on an
/// iPhone without a network. While a request is pending, another one of the same object fails with
/// `CLError.geocodeCanceled`.
///
/// The completion handler is called later, on the main queue, and never from within the request. A subclass's `async`
/// methods call its methods with a completion handler, so overriding the latter changes both, and wait for the first
/// call of the handler. This class's own `async` methods do not wait for the main queue. Apple deprecates this class
/// from iOS 26 on.
open class CLGeocoder: NSObject {
    private let requests = GeocodingRequests()

    /// Creates a geocoder.
    public override init() {
        super.init()
    }

    /// A Boolean value indicating whether a request is pending.
    open var isGeocoding: Bool { requests.isPending }

    /// Requests the address of a location.
    open func reverseGeocodeLocation(
        _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(.addresses(of: location, locale: nil), completionHandler)
    }

    /// Requests the address of a location, in the language of `locale`.
    open func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(.addresses(of: location, locale: locale), completionHandler)
    }

    /// Requests the coordinates of an address.
    open func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(.places(addressString, region: nil, locale: nil), completionHandler)
    }

    /// Requests the coordinates of an address, with preference for results in `region`.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(.places(addressString, region: region?.circle, locale: nil), completionHandler)
    }

    /// Requests the coordinates of an address, with preference for results in `region`, in the language of `locale`.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(.places(addressString, region: region?.circle, locale: locale), completionHandler)
    }

    /// Requests the coordinates of an address from the address book.
    @available(*, deprecated, renamed: "geocodeAddressString(_:completionHandler:)")
    open func geocodeAddressDictionary(
        _ addressDictionary: [AnyHashable: Any], completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(.places(Self.text(addressDictionary), region: nil, locale: nil), completionHandler)
    }

    /// Requests the address of a location.
    nonisolated(nonsending)
        open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark]
    {
        try await placemarks(.addresses(of: location, locale: nil)) {
            reverseGeocodeLocation(location, completionHandler: $0)
        }
    }

    /// Requests the address of a location, in the language of `locale`.
    nonisolated(nonsending)
        open func reverseGeocodeLocation(
            _ location: CLLocation, preferredLocale locale: Locale?
        ) async throws -> [CLPlacemark]
    {
        try await placemarks(.addresses(of: location, locale: locale)) {
            reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
        }
    }

    /// Requests the coordinates of an address.
    nonisolated(nonsending)
        open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark]
    {
        try await placemarks(.places(addressString, region: nil, locale: nil)) {
            geocodeAddressString(addressString, completionHandler: $0)
        }
    }

    /// Requests the coordinates of an address, with preference for results in `region`.
    nonisolated(nonsending)
        open func geocodeAddressString(
            _ addressString: String, in region: CLRegion?
        ) async throws -> [CLPlacemark]
    {
        try await placemarks(.places(addressString, region: region?.circle, locale: nil)) {
            geocodeAddressString(addressString, in: region, completionHandler: $0)
        }
    }

    /// Requests the coordinates of an address, with preference for results in `region`, in the language of `locale`.
    nonisolated(nonsending)
        open func geocodeAddressString(
            _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
        ) async throws -> [CLPlacemark]
    {
        try await placemarks(.places(addressString, region: region?.circle, locale: locale)) {
            geocodeAddressString(addressString, in: region, preferredLocale: locale, completionHandler: $0)
        }
    }

    /// Requests the coordinates of an address from the address book.
    @available(*, deprecated, renamed: "geocodeAddressString(_:)")
    nonisolated(nonsending)
        open func geocodeAddressDictionary(_ addressDictionary: [AnyHashable: Any]) async throws -> [CLPlacemark]
    {
        try await placemarks(.places(Self.text(addressDictionary), region: nil, locale: nil)) {
            geocodeAddressDictionary(addressDictionary, completionHandler: $0)
        }
    }

    /// Cancels the pending request, which fails with `CLError.geocodeCanceled`.
    open func cancelGeocode() {
        requests.cancel()
    }

    private func begin(_ query: GeocodingQuery, _ completionHandler: @escaping CLGeocodeCompletionHandler) {
        // Safe, because only the main queue uses it from here on.
        nonisolated(unsafe) let answer = completionHandler
        requests.begin(query, on: .main) { outcome in
            switch outcome {
            case .success(let places): answer(places.map { CLPlacemark($0) }, nil)
            case .failure(let error): answer(nil, error)
            }
        }
    }

    /// Waits for the result of `query`, which `request` begins with the given completion handler.
    nonisolated(nonsending)
        private func placemarks(
            _ query: GeocodingQuery, _ request: (@escaping CLGeocodeCompletionHandler) -> Void
        ) async throws -> [CLPlacemark]
    {
        // Only a subclass has methods that must be called. The main queue may be blocked until this request ends.
        if type(of: self) == CLGeocoder.self {
            let places = try await withCheckedThrowingContinuation { continuation in
                requests.begin(query, on: nil) { continuation.resume(with: $0) }
            }
            return places.map { CLPlacemark($0) }
        }
        return try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<[CLPlacemark], any Error>) in
            let waiting = GeocodeContinuation(continuation)
            request { placemarks, error in waiting.resume(placemarks, error) }
        }
    }

    /// Returns an address from the address book in one line. The keys are the address book's.
    private static func text(_ address: [AnyHashable: Any]) -> String {
        ["Street", "ZIP", "City", "State", "Country"].compactMap { address[$0] as? String }.joined(separator: ", ")
    }
}
