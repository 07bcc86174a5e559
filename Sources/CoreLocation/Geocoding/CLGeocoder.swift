import Foundation

/// What a geocoder answers with: places, or an error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Tells the address of a place and the place of an address; on Linux there is no service that could, so that every
/// request fails with `CLError.network`, as on an iPhone without a network.
///
/// The completion is called on the main queue, later: never from within the request. From iOS 26 on, Apple deprecates
/// the class.
open class CLGeocoder: NSObject {
    private let requests = GeocodeRequests()

    /// A geocoder.
    public override init() {
        super.init()
    }

    /// A Boolean value indicating whether a request waits for its answer.
    open var isGeocoding: Bool { requests.isPending }

    /// Tells the address of a place.
    open func reverseGeocodeLocation(
        _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(completionHandler)
    }

    /// Tells the address of a place, in the words of `locale`.
    open func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(completionHandler)
    }

    /// Tells the place of an address.
    open func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(completionHandler)
    }

    /// Tells the place of an address, one in `region` first.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(completionHandler)
    }

    /// Tells the place of an address, one in `region` first, in the words of `locale`.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(completionHandler)
    }

    /// Tells the place of an address of the address book.
    @available(*, deprecated, renamed: "geocodeAddressString(_:completionHandler:)")
    open func geocodeAddressDictionary(
        _ addressDictionary: [AnyHashable: Any], completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        begin(completionHandler)
    }

    /// Tells the address of a place.
    nonisolated(nonsending)
        open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark]
    {
        try await fail()
    }

    /// Tells the address of a place, in the words of `locale`.
    nonisolated(nonsending)
        open func reverseGeocodeLocation(
            _ location: CLLocation, preferredLocale locale: Locale?
        ) async throws -> [CLPlacemark]
    {
        try await fail()
    }

    /// Tells the place of an address.
    nonisolated(nonsending)
        open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark]
    {
        try await fail()
    }

    /// Tells the place of an address, one in `region` first.
    nonisolated(nonsending)
        open func geocodeAddressString(
            _ addressString: String, in region: CLRegion?
        ) async throws -> [CLPlacemark]
    {
        try await fail()
    }

    /// Tells the place of an address, one in `region` first, in the words of `locale`.
    nonisolated(nonsending)
        open func geocodeAddressString(
            _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
        ) async throws -> [CLPlacemark]
    {
        try await fail()
    }

    /// Tells the place of an address of the address book.
    @available(*, deprecated, renamed: "geocodeAddressString(_:)")
    nonisolated(nonsending)
        open func geocodeAddressDictionary(_ addressDictionary: [AnyHashable: Any]) async throws -> [CLPlacemark]
    {
        try await fail()
    }

    /// Cancels the request that waits, which fails with `CLError.geocodeCanceled`.
    open func cancelGeocode() {
        requests.cancel()
    }

    private func begin(_ completionHandler: @escaping CLGeocodeCompletionHandler) {
        let (requests, number) = (requests, requests.begin())
        // Handed over to the main queue.
        nonisolated(unsafe) let answer = completionHandler
        DispatchQueue.main.async { answer(nil, CLError(requests.end(number) ? .geocodeCanceled : .network)) }
    }

    nonisolated(nonsending)
        private func fail() async throws -> [CLPlacemark]
    {
        await Task.yield()
        throw CLError(.network)
    }
}
