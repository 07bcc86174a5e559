@_exported import Foundation

/// A postal address, as in the address book of iOS. Linux has no address book: this module is only for geocoding.
open class CNPostalAddress: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    /// The parts of the address by the names of their properties. A missing part is empty.
    fileprivate final var parts: [String: String] = [:]

    /// Creates an address without any parts.
    public override init() {
        super.init()
    }

    fileprivate init(parts: [String: String]) {
        self.parts = parts
    }

    /// The street and the number, or several lines of them.
    open var street: String { parts["street", default: ""] }
    /// The district of the city.
    open var subLocality: String { parts["subLocality", default: ""] }
    /// The city.
    open var city: String { parts["city", default: ""] }
    /// The county.
    open var subAdministrativeArea: String { parts["subAdministrativeArea", default: ""] }
    /// The state or province.
    open var state: String { parts["state", default: ""] }
    /// The postal code.
    open var postalCode: String { parts["postalCode", default: ""] }
    /// The name of the country.
    open var country: String { parts["country", default: ""] }
    /// The two-letter country code of ISO 3166-1.
    open var isoCountryCode: String { parts["isoCountryCode", default: ""] }

    /// Returns whether `object` is an address with the same parts.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CNPostalAddress)?.parts == parts }

    /// A hash of the parts.
    open override var hash: Int { parts.hashValue }

    /// Returns an immutable address with the same parts.
    open func copy(with zone: NSZone? = nil) -> Any { CNPostalAddress(parts: parts) }

    /// Returns a ``CNMutablePostalAddress`` with the same parts.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { CNMutablePostalAddress(parts: parts) }

    /// A Boolean value indicating whether the class supports secure coding. Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Decodes an address with the parts that the archive contains.
    public required init?(coder: NSCoder) {
        let classes: [AnyClass] = [NSDictionary.self, NSString.self]
        guard let decoded = coder.decodeObject(of: classes, forKey: "parts") as? [String: String] else { return nil }
        parts = decoded
        super.init()
    }

    /// Encodes every part.
    open func encode(with coder: NSCoder) {
        coder.encode(parts as NSDictionary, forKey: "parts")
    }
}

/// A postal address whose parts can be set.
open class CNMutablePostalAddress: CNPostalAddress {
    /// The street and the number, or several lines of them.
    open override var street: String {
        get { super.street }
        set { parts["street"] = newValue.isEmpty ? nil : newValue }
    }
    /// The district of the city.
    open override var subLocality: String {
        get { super.subLocality }
        set { parts["subLocality"] = newValue.isEmpty ? nil : newValue }
    }
    /// The city.
    open override var city: String {
        get { super.city }
        set { parts["city"] = newValue.isEmpty ? nil : newValue }
    }
    /// The county.
    open override var subAdministrativeArea: String {
        get { super.subAdministrativeArea }
        set { parts["subAdministrativeArea"] = newValue.isEmpty ? nil : newValue }
    }
    /// The state or province.
    open override var state: String {
        get { super.state }
        set { parts["state"] = newValue.isEmpty ? nil : newValue }
    }
    /// The postal code.
    open override var postalCode: String {
        get { super.postalCode }
        set { parts["postalCode"] = newValue.isEmpty ? nil : newValue }
    }
    /// The name of the country.
    open override var country: String {
        get { super.country }
        set { parts["country"] = newValue.isEmpty ? nil : newValue }
    }
    /// The two-letter country code of ISO 3166-1.
    open override var isoCountryCode: String {
        get { super.isoCountryCode }
        set { parts["isoCountryCode"] = newValue.isEmpty ? nil : newValue }
    }
}
