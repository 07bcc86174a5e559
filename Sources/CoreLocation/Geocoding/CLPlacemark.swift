import Foundation

/// A place and its address.
///
/// No service on Linux makes one: a subclass tells more.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding {
    /// Not changed once the object is made.
    private var values = Values()

    /// What a placemark holds, named and documented as its properties.
    private struct Values {
        var location: CLLocation?
        var region: CLRegion?
        var timeZone: TimeZone?
        var texts: [String: String] = [:]
        var areasOfInterest: [String]?
    }

    /// A place of which nothing is known.
    public override init() {
        super.init()
    }

    /// A placemark with the values of another one.
    public init(placemark: CLPlacemark) {
        super.init()
        values = Values(
            location: placemark.location, region: placemark.region, timeZone: placemark.timeZone,
            areasOfInterest: placemark.areasOfInterest)
        for (key, path) in Self.texts {
            values.texts[key] = placemark[keyPath: path]
        }
    }

    /// Where the place is.
    open var location: CLLocation? { values.location }
    /// The area of the place.
    open var region: CLRegion? { values.region }
    /// The time zone at the place.
    open var timeZone: TimeZone? { values.timeZone }
    /// The name of the place.
    open var name: String? { values.texts["name"] }
    /// The street.
    open var thoroughfare: String? { values.texts["thoroughfare"] }
    /// The number in the street.
    open var subThoroughfare: String? { values.texts["subThoroughfare"] }
    /// The city.
    open var locality: String? { values.texts["locality"] }
    /// The part of the city.
    open var subLocality: String? { values.texts["subLocality"] }
    /// The state or province.
    open var administrativeArea: String? { values.texts["administrativeArea"] }
    /// The county.
    open var subAdministrativeArea: String? { values.texts["subAdministrativeArea"] }
    /// The postal code.
    open var postalCode: String? { values.texts["postalCode"] }
    /// The country's code of ISO 3166-1, two letters.
    open var isoCountryCode: String? { values.texts["isoCountryCode"] }
    /// The country.
    open var country: String? { values.texts["country"] }
    /// The lake or river.
    open var inlandWater: String? { values.texts["inlandWater"] }
    /// The ocean.
    open var ocean: String? { values.texts["ocean"] }
    /// What there is to see.
    open var areasOfInterest: [String]? { values.areasOfInterest }

    /// The address, as the address book had it.
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

    /// The object itself: it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// A placemark with what the archive tells of one.
    public required init?(coder: NSCoder) {
        values.location = coder.object(of: CLLocation.self, forKey: "location")
        if coder.containsValue(forKey: "region") {
            let classes = [CLRegion.self, CLCircularRegion.self, CLBeaconRegion.self]
            values.region = coder.decodeObject(of: classes, forKey: "region") as? CLRegion
        }
        values.timeZone = (coder.object(of: NSString.self, forKey: "timeZone") as String?)
            .flatMap { TimeZone(identifier: $0) }
        for (key, _) in Self.texts {
            values.texts[key] = coder.object(of: NSString.self, forKey: key) as String?
        }
        if coder.containsValue(forKey: "areasOfInterest") {
            values.areasOfInterest =
                coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "areasOfInterest") as? [String]
        }
        super.init()
    }

    /// Writes every property.
    open func encode(with coder: NSCoder) {
        coder.encode(location, forKey: "location")
        coder.encode(region, forKey: "region")
        coder.encode(timeZone.map { $0.identifier as NSString }, forKey: "timeZone")
        for (key, path) in Self.texts {
            coder.encode(self[keyPath: path].map { $0 as NSString }, forKey: key)
        }
        coder.encode(areasOfInterest.map { $0 as NSArray }, forKey: "areasOfInterest")
    }
}
