public import CoreLocation

extension CLPlacemark {
    /// The address in the format of the address book, or `nil` if the placemark has no part of one.
    public var postalAddress: CNPostalAddress? {
        let address = CNMutablePostalAddress()
        address.street = (isNumberFirst ? [subThoroughfare, thoroughfare] : [thoroughfare, subThoroughfare])
            .compactMap { $0 }.joined(separator: " ")
        address.subLocality = subLocality ?? ""
        address.city = locality ?? ""
        address.subAdministrativeArea = subAdministrativeArea ?? ""
        address.state = administrativeArea ?? ""
        address.postalCode = postalCode ?? ""
        address.country = country ?? ""
        address.isoCountryCode = isoCountryCode ?? ""
        return address == CNPostalAddress() ? nil : address.copy() as? CNPostalAddress
    }

    /// A Boolean value indicating whether the number comes before the name of the street, as in the countries where
    /// English or French is spoken.
    private var isNumberFirst: Bool {
        ["AU", "CA", "FR", "GB", "IE", "IN", "LU", "MC", "NZ", "US", "ZA"].contains(isoCountryCode?.uppercased())
    }
}

extension CLGeocoder {
    /// Requests the coordinates of a postal address.
    public func geocodePostalAddress(
        _ postalAddress: CNPostalAddress, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        geocodeAddressString(postalAddress.line, completionHandler: completionHandler)
    }

    /// Requests the coordinates of a postal address, in the language of `locale`.
    public func geocodePostalAddress(
        _ postalAddress: CNPostalAddress, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        geocodeAddressString(
            postalAddress.line, in: nil, preferredLocale: locale, completionHandler: completionHandler)
    }

    /// Requests the coordinates of a postal address.
    nonisolated(nonsending)
        public func geocodePostalAddress(_ postalAddress: CNPostalAddress) async throws -> [CLPlacemark]
    {
        try await geocodeAddressString(postalAddress.line)
    }

    /// Requests the coordinates of a postal address, in the language of `locale`.
    nonisolated(nonsending)
        public func geocodePostalAddress(
            _ postalAddress: CNPostalAddress, preferredLocale locale: Locale?
        ) async throws -> [CLPlacemark]
    {
        try await geocodeAddressString(postalAddress.line, in: nil, preferredLocale: locale)
    }
}

extension CNPostalAddress {
    /// The address in one line, as a geocoder gets it.
    fileprivate var line: String {
        let town = [postalCode, city].filter { !$0.isEmpty }.joined(separator: " ")
        return [street, subLocality, town, subAdministrativeArea, state, country].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }
}
