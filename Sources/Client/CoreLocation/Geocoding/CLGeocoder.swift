import Foundation

/// A closure that receives the result of a geocoding request: placemarks or an error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// An object that converts between addresses and coordinates. Linux has no service for that, so every request fails
/// with `CLError.network`, as on an iPhone without a network.
///
/// The completion handler is called later, on the main queue, and never from within the request. A subclass's `async`
/// methods call its methods with a completion handler, so overriding the latter changes both, and wait for the first
/// call of the handler. This class's own `async` methods do not wait for the main queue. Apple deprecates this class
/// from iOS 26 on.
open class CLGeocoder: NSObject {
    private let requests = GeocodeRequests()

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
        begin(completionHandler)
    }

    /// Requests the address of a location, in the language of `locale`.
    open func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(completionHandler)
    }

    /// Requests the coordinates of an address.
    open func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(completionHandler)
    }

    /// Requests the coordinates of an address, with preference for results in `region`.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(completionHandler)
    }

    /// Requests the coordinates of an address, with preference for results in `region`, in the language of `locale`.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(completionHandler)
    }

    /// Requests the coordinates of an address from the address book.
    @available(*, deprecated, renamed: "geocodeAddressString(_:completionHandler:)")
    open func geocodeAddressDictionary(
        _ addressDictionary: [AnyHashable: Any], completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(completionHandler)
    }

    /// Requests the address of a location.
    nonisolated(nonsending)
        open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark]
    {
        try await placemarks { reverseGeocodeLocation(location, completionHandler: $0) }
    }

    /// Requests the address of a location, in the language of `locale`.
    nonisolated(nonsending)
        open func reverseGeocodeLocation(
            _ location: CLLocation, preferredLocale locale: Locale?
        ) async throws -> [CLPlacemark]
    {
        try await placemarks {
            reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
        }
    }

    /// Requests the coordinates of an address.
    nonisolated(nonsending)
        open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark]
    {
        try await placemarks { geocodeAddressString(addressString, completionHandler: $0) }
    }

    /// Requests the coordinates of an address, with preference for results in `region`.
    nonisolated(nonsending)
        open func geocodeAddressString(
            _ addressString: String, in region: CLRegion?
        ) async throws -> [CLPlacemark]
    {
        try await placemarks { geocodeAddressString(addressString, in: region, completionHandler: $0) }
    }

    /// Requests the coordinates of an address, with preference for results in `region`, in the language of `locale`.
    nonisolated(nonsending)
        open func geocodeAddressString(
            _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
        ) async throws -> [CLPlacemark]
    {
        try await placemarks {
            geocodeAddressString(addressString, in: region, preferredLocale: locale, completionHandler: $0)
        }
    }

    /// Requests the coordinates of an address from the address book.
    @available(*, deprecated, renamed: "geocodeAddressString(_:)")
    nonisolated(nonsending)
        open func geocodeAddressDictionary(_ addressDictionary: [AnyHashable: Any]) async throws -> [CLPlacemark]
    {
        try await placemarks { geocodeAddressDictionary(addressDictionary, completionHandler: $0) }
    }

    /// Cancels the pending requests, which fail with `CLError.geocodeCanceled`.
    open func cancelGeocode() {
        requests.cancel()
    }

    private func begin(_ completionHandler: @escaping CLGeocodeCompletionHandler) {
        let (requests, number) = (requests, requests.begin())
        // Safe, because only the main queue uses it from here on.
        nonisolated(unsafe) let answer = completionHandler
        DispatchQueue.main.async { answer(nil, requests.end(number)) }
    }

    /// Waits for the result of `request`, which begins a request with the given completion handler.
    nonisolated(nonsending)
        private func placemarks(
            _ request: (@escaping CLGeocodeCompletionHandler) -> Void
        ) async throws -> [CLPlacemark]
    {
        // Only a subclass has methods that must be called. The main queue may be blocked until this request ends.
        if type(of: self) == CLGeocoder.self {
            let number = requests.begin()
            await Task.yield()
            throw requests.end(number)
        }
        return try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<[CLPlacemark], any Error>) in
            let waiting = GeocodeContinuation(continuation)
            request { placemarks, error in waiting.resume(placemarks, error) }
        }
    }
}
