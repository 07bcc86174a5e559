import Foundation

/// A source of placemarks for geocoders: the app's own or the machine's.
package protocol GeocodingSource: Sendable {
    /// Returns the values of the placemarks that answer `query`, the best one first. An error that is not a ``CLError``
    /// counts as `CLError.network`.
    func places(for query: GeocodingQuery) async throws -> [CLPlacemark.Values]
}

/// A request of a geocoder.
package enum GeocodingQuery: Sendable {
    /// The addresses of a location.
    case addresses(of: CLLocation, locale: Locale?)
    /// The places that a text describes, with preference for those in a region.
    case places(String, region: CLRegion.Circle?, locale: Locale?)
}

/// The source that the app has set, if any. May be used from any thread.
package final class AppGeocodingSource: @unchecked Sendable {
    /// The app's source in the current task. It is task-local so that tests with different sources can run at the same
    /// time.
    @TaskLocal package static var shared = AppGeocodingSource()

    private let lock = NSLock()
    /// Protected by `lock`.
    private var source: (any GeocodingSource)?

    package init() {}

    package var current: (any GeocodingSource)? {
        get { lock.withLock { source } }
        set { lock.withLock { source = newValue } }
    }
}
