import Contacts
import CoreLocation
import Testing

@Suite struct PostalAddressTests {
    private var ulm: CNMutablePostalAddress {
        let address = CNMutablePostalAddress()
        address.street = "Münsterplatz 1"
        address.subLocality = "Mitte"
        address.city = "Ulm"
        address.subAdministrativeArea = "Tübingen"
        address.state = "Baden-Württemberg"
        address.postalCode = "89073"
        address.country = "Germany"
        address.isoCountryCode = "DE"
        return address
    }

    private func parts(_ address: CNPostalAddress) -> [String] {
        [
            address.street, address.subLocality, address.city, address.subAdministrativeArea, address.state,
            address.postalCode, address.country, address.isoCountryCode,
        ]
    }

    @Test func eachPartIsSetAlone() {
        #expect(
            parts(ulm) == [
                "Münsterplatz 1", "Mitte", "Ulm", "Tübingen", "Baden-Württemberg", "89073", "Germany", "DE",
            ])
        #expect(parts(CNPostalAddress()) == Array(repeating: "", count: 8))
    }

    @Test func aCopyStaysAsItIs() throws {
        let address = ulm
        let copy = try #require(address.copy() as? CNPostalAddress)
        let changed = try #require(copy.mutableCopy() as? CNMutablePostalAddress)
        #expect(copy == address && changed == copy && copy.hash == address.hash)
        #expect(!(copy is CNMutablePostalAddress))
        changed.city = ""
        #expect(changed != copy && copy.city == "Ulm")
        changed.city = "Ulm"
        #expect(changed == copy)
    }

    @Test func itCanBeArchived() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: ulm, requiringSecureCoding: true)
        let decoded = try NSKeyedUnarchiver.unarchivedObject(ofClass: CNMutablePostalAddress.self, from: data)
        #expect(decoded == ulm)
        #expect(decoded.map(parts) == parts(ulm))
    }

    /// A placemark of a country where the number comes after the street, or before it.
    private final class House: CLPlacemark {
        let code: String
        init(code: String) {
            self.code = code
            super.init()
        }
        required init?(coder: NSCoder) { nil }
        override var thoroughfare: String? { "Main" }
        override var subThoroughfare: String? { "7" }
        override var locality: String? { "Ulm" }
        override var isoCountryCode: String? { code }
    }

    @Test func aPlacemarkHasOne() throws {
        let german = try #require(House(code: "DE").postalAddress)
        #expect(parts(german) == ["Main 7", "", "Ulm", "", "", "", "", "DE"])
        #expect(!(german is CNMutablePostalAddress))
        #expect(House(code: "us").postalAddress?.street == "7 Main")
        #expect(CLPlacemark(placemark: CLPlacemark()).postalAddress == nil)
    }
}
