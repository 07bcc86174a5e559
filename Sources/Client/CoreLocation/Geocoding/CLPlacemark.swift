import Foundation

/// A place and its address.
///
/// A ``CLGeocoder`` creates placemarks. Subclasses override the properties.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding {
    /// Immutable after initialization.
    private var values = Values()
    /// Immutable after initialization.
    private var storedRegion: CLRegion?

    /// The values of a placemark, except for its region. The properties document them; `texts` holds the string values,
    /// by property name.
    package struct Values: Sendable {
        package var location: CLLocation?
        package var timeZone: TimeZone?
        package var texts: [String: String] = [:]
        package var areasOfInterest: [String]?
        /// The radius of a circular region around the location, in metres.
        package var radius: CLLocationDistance?

        package init() {}
    }

    /// Creates a placemark without any values.
    public override init() {
        super.init()
    }

    /// Creates a placemark with the values of another one.
    public init(placemark: CLPlacemark) {
        super.init()
        storedRegion = placemark.region
        values.location = placemark.location
        values.timeZone = placemark.timeZone
        values.areasOfInterest = placemark.areasOfInterest
        for (key, path) in Self.texts {
            values.texts[key] = placemark[keyPath: path]
        }
    }

    package convenience init(_ values: Values) {
        self.init()
        self.values = values
        guard let center = values.location?.coordinate, let radius = values.radius else { return }
        let name = String(format: "<%+.8f,%+.8f> radius %.2f", center.latitude, center.longitude, radius)
        storedRegion = CLCircularRegion(center: center, radius: radius, identifier: name)
    }

    /// The location of the place.
    open var location: CLLocation? { values.location }
    /// The region that the place covers.
    open var region: CLRegion? { storedRegion }
    /// The time zone at the place. If the geocoder does not report it, it is derived from ``location`` and
    /// ``isoCountryCode``, approximately: `nil` where zones with different times are near, and on a machine without the
    /// IANA time zone database.
    open var timeZone: TimeZone? {
        if let known = values.timeZone { return known }
        guard let coordinate = location?.coordinate else { return nil }
        return ZoneTable.machine.zone(at: coordinate, country: isoCountryCode).flatMap { TimeZone(identifier: $0) }
    }
    /// The name of the place.
    open var name: String? { values.texts["name"] }
    /// The street.
    open var thoroughfare: String? { values.texts["thoroughfare"] }
    /// The street number.
    open var subThoroughfare: String? { values.texts["subThoroughfare"] }
    /// The city.
    open var locality: String? { values.texts["locality"] }
    /// The district of the city.
    open var subLocality: String? { values.texts["subLocality"] }
    /// The state or province.
    open var administrativeArea: String? { values.texts["administrativeArea"] }
    /// The county.
    open var subAdministrativeArea: String? { values.texts["subAdministrativeArea"] }
    /// The postal code.
    open var postalCode: String? { values.texts["postalCode"] }
    /// The two-letter country code of ISO 3166-1.
    open var isoCountryCode: String? { values.texts["isoCountryCode"] }
    /// The name of the country.
    open var country: String? { values.texts["country"] }
    /// The lake or river.
    open var inlandWater: String? { values.texts["inlandWater"] }
    /// The ocean.
    open var ocean: String? { values.texts["ocean"] }
    /// The points of interest at the place.
    open var areasOfInterest: [String]? { values.areasOfInterest }

    /// The address in the format of the address book. Always `nil` on Linux.
    @available(*, deprecated, message: "Use the properties")
    open var addressDictionary: [AnyHashable: Any]? { nil }

    private static var texts: [(key: String, path: KeyPath<CLPlacemark, String?>)] {
        [
            ("name", \.name), ("thoroughfare", \.thoroughfare), ("subThoroughfare", \.subThoroughfare),
            ("locality", \.locality), ("subLocality", \.subLocality), ("administrativeArea", \.administrativeArea),
            ("subAdministrativeArea", \.subAdministrativeArea), ("postalCode", \.postalCode),
            ("isoCountryCode", \.isoCountryCode), ("country", \.country), ("inlandWater", \.inlandWater),
            ("ocean", \.ocean),
        ]
    }

    // MARK: Copying and coding

    /// Returns the object itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A Boolean value indicating whether the class supports secure coding. Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes a placemark with the values that the archive contains.
    public required init?(coder: NSCoder) {
        let archive = ArchivedValues(coder)
        let regions = [CLRegion.self, CLCircularRegion.self, CLBeaconRegion.self]
        values.location = archive.object(for: "location", of: CLLocation.self)
        storedRegion = archive.object(for: "region", of: regions) as? CLRegion
        values.timeZone = archive.string(for: "timeZone").flatMap { TimeZone(identifier: $0) }
        for (name, _) in Self.texts {
            values.texts[name] = archive.string(for: name)
        }
        values.areasOfInterest =
            archive.object(for: "areasOfInterest", of: [NSArray.self, NSString.self]) as? [String]
        super.init()
    }

    /// Encodes every property except the address dictionary.
    open func encode(with coder: NSCoder) {
        let archive = ArchivedValues(coder)
        archive.encode(location, for: "location")
        archive.encode(region, for: "region")
        archive.encode(timeZone?.identifier, for: "timeZone")
        for (name, path) in Self.texts {
            archive.encode(self[keyPath: path], for: name)
        }
        archive.encode(areasOfInterest.map { $0 as NSArray }, for: "areasOfInterest")
    }
}
