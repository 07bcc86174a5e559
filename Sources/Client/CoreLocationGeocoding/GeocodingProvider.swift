public import CoreLocation

/// A geocoder of the app's own, which Apple's Core Location does not have.
///
/// ```swift
/// import CoreLocation
/// import CoreLocationGeocoding
///
/// struct Villages: GeocodingProvider {
///     func places(at location: CLLocation, locale: Locale?) async throws -> [GeocodedPlace] {
///         [GeocodedPlace(location, [.locality: "Seldwyla", .isoCountryCode: "CH"])]
///     }
///
///     func places(named text: String, in region: GeocodingRegion?, locale: Locale?) async throws -> [GeocodedPlace] {
///         []
///     }
/// }
///
/// CLGeocoder.provider = Villages()
/// ```
public protocol GeocodingProvider: Sendable {
    /// Returns the addresses of a location, in the language of `locale`, the best one first. The request fails with
    /// `CLError.geocodeFoundNoResult` if there is none, with a thrown `CLError`, and with `CLError.network` for any
    /// other thrown error.
    func places(at location: CLLocation, locale: Locale?) async throws -> [GeocodedPlace]

    /// Returns the places that a text describes, with preference for those in `region`. Otherwise like
    /// ``places(at:locale:)``.
    func places(named text: String, in region: GeocodingRegion?, locale: Locale?) async throws -> [GeocodedPlace]
}

/// A circle on the ground: its center, and its radius in metres.
public typealias GeocodingRegion = (center: CLLocationCoordinate2D, radius: CLLocationDistance)

/// A place and its address, from which a `CLPlacemark` is made.
public struct GeocodedPlace: Sendable {
    /// The parts of an address, named like the properties of a `CLPlacemark`.
    public enum Part: String, Sendable, CaseIterable {
        case name, thoroughfare, subThoroughfare, locality, subLocality, administrativeArea, subAdministrativeArea,
            postalCode, isoCountryCode, country, inlandWater, ocean
    }

    /// The location of the place.
    public var location: CLLocation?
    /// The parts of the address.
    public var address: [Part: String]
    /// The points of interest at the place.
    public var areasOfInterest: [String]?
    /// The radius of a circular region around the location, in metres.
    public var radius: CLLocationDistance?
    /// The time zone, or `nil` to derive it from the location and the country.
    public var timeZone: TimeZone?

    /// Creates a place with an address.
    public init(_ location: CLLocation?, _ address: [Part: String] = [:]) {
        self.location = location
        self.address = address
    }
}

extension CLGeocoder {
    /// The geocoder of this app, for all requests that begin from now on. Default: `nil`, for the machine's geocoder.
    public static var provider: (any GeocodingProvider)? {
        get { (AppGeocodingSource.shared.current as? ProviderSource)?.provider }
        set { AppGeocodingSource.shared.current = newValue.map { ProviderSource(provider: $0) } }
    }
}

/// An app's provider as the source of all its geocoders.
private struct ProviderSource: GeocodingSource {
    let provider: any GeocodingProvider

    func places(for query: GeocodingQuery) async throws -> [CLPlacemark.Values] {
        let places =
            switch query {
            case .addresses(let location, let locale): try await provider.places(at: location, locale: locale)
            case .places(let text, let circle, let locale):
                try await provider.places(
                    named: text, in: circle.map { ($0.center, $0.radius) }, locale: locale)
            }
        return places.map { place in
            var values = CLPlacemark.Values()
            values.location = place.location
            for (part, text) in place.address { values.texts[part.rawValue] = text }
            values.areasOfInterest = place.areasOfInterest
            values.radius = place.radius
            values.timeZone = place.timeZone
            return values
        }
    }
}
