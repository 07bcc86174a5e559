import Foundation
import Testing

@testable import CoreLocation

/// The time zone of a place, by an excerpt of the IANA database.
@Suite struct ZoneTableTests {
    private static let table = ZoneTable(
        parsing: """
            # tzdb timezone descriptions
            #country-code\tcoordinates\tTZ\tcomments
            AR\t-3436-05827\tAmerica/Argentina/Buenos_Aires\tmost areas
            AT\t+4813+01620\tEurope/Vienna
            AU\t-3352+15113\tAustralia/Sydney\tNew South Wales
            AU\t-2728+15302\tAustralia/Brisbane\tQueensland
            AU\t-3455+13835\tAustralia/Adelaide
            AU\t-3157+11551\tAustralia/Perth
            CH\t+4723+00832\tEurope/Zurich
            CZ\t+5005+01426\tEurope/Prague
            DE\t+5230+01322\tEurope/Berlin\tmost of Germany
            DE\t+4742+00841\tEurope/Busingen\tBusingen
            EE\t+5925+02445\tEurope/Tallinn
            ES\t+4024-00341\tEurope/Madrid\tSpain (mainland)
            ES\t+3553-00519\tAfrica/Ceuta\tCeuta, Melilla
            ES\t+2806-01524\tAtlantic/Canary\tCanary Islands
            FR\t+4852+00220\tEurope/Paris
            GB\t+513030-0000731\tEurope/London
            IN\t+2232+08822\tAsia/Kolkata
            JP\t+353916+1394441\tAsia/Tokyo
            NZ\t-3652+17446\tPacific/Auckland\tmost of New Zealand
            NZ\t-4357-17633\tPacific/Chatham\tChatham Islands
            PL\t+5215+02100\tEurope/Warsaw
            PT\t+3843-00908\tEurope/Lisbon\tPortugal (mainland)
            RU\t+554521+0373704\tEurope/Moscow\tMSK+00 - Moscow area
            US\t+404251-0740023\tAmerica/New_York\tEastern (most areas)
            US\t+415100-0873900\tAmerica/Chicago\tCentral (most areas)
            US\t+394421-1045903\tAmerica/Denver\tMountain (most areas)
            US\t+332654-1120424\tAmerica/Phoenix\tMST - AZ (except Navajo)
            US\t+340308-1181434\tAmerica/Los_Angeles\tPacific
            US\t+211825-1575130\tPacific/Honolulu\tHawaii
            """)

    /// The offsets in January and July of 2026.
    private static func offsets(of name: String) -> [Int] {
        [1_768_435_200.0, 1_784_073_600.0].map {
            TimeZone(identifier: name)!.secondsFromGMT(for: Date(timeIntervalSince1970: $0))
        }
    }

    private func zone(_ latitude: Double, _ longitude: Double, _ country: String?) -> String? {
        Self.table.zone(
            at: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), country: country,
            offsets: Self.offsets)
    }

    @Test func theFileIsParsed() throws {
        #expect(Self.table.zones.count == 29)
        let tokyo = try #require(Self.table.zones.first { $0.name == "Asia/Tokyo" })
        #expect(tokyo.country == "JP")
        #expect(abs(tokyo.place.latitude - 35.654444) < 1e-5 && abs(tokyo.place.longitude - 139.744722) < 1e-5)
        let london = try #require(Self.table.zones.first { $0.name == "Europe/London" })
        #expect(abs(london.place.longitude + 0.125278) < 1e-5)
    }

    @Test(arguments: [
        "", "DE", "DE\t+5230+01322", "DE\t+5230\tEurope/Berlin", "DE\tx+y\tEurope/Berlin",
        "# DE\t+5230+01322\tEurope/Berlin",
    ])
    func aLineThatIsNoneIsSkipped(line: String) {
        #expect(ZoneTable(parsing: line).zones.isEmpty)
    }

    /// Cities of countries with one zone, and of countries with more.
    @Test(arguments: [
        ("Vienna", 48.21, 16.37, "AT", "Europe/Vienna"), ("Bregenz", 47.50, 9.75, "AT", "Europe/Vienna"),
        ("Geneva", 46.20, 6.15, "CH", "Europe/Zurich"), ("Lower case", 46.20, 6.15, "ch", "Europe/Zurich"),
        ("Brest", 48.39, -4.49, "FR", "Europe/Paris"), ("Narva", 59.38, 28.19, "EE", "Europe/Tallinn"),
        ("Edinburgh", 55.95, -3.19, "GB", "Europe/London"), ("Mumbai", 19.08, 72.88, "IN", "Asia/Kolkata"),
        ("Osaka", 34.69, 135.50, "JP", "Asia/Tokyo"), ("Porto", 41.15, -8.61, "PT", "Europe/Lisbon"),
        ("Ushuaia", -54.80, -68.30, "AR", "America/Argentina/Buenos_Aires"),
        ("Hamburg", 53.55, 10.00, "DE", "Europe/Berlin"), ("Konstanz", 47.66, 9.18, "DE", "Europe/Busingen"),
        ("Barcelona", 41.39, 2.17, "ES", "Europe/Madrid"), ("Las Palmas", 28.12, -15.43, "ES", "Atlantic/Canary"),
        ("Boston", 42.36, -71.06, "US", "America/New_York"), ("Milwaukee", 43.04, -87.91, "US", "America/Chicago"),
        ("Boulder", 40.01, -105.27, "US", "America/Denver"), ("Tucson", 32.22, -110.97, "US", "America/Phoenix"),
        ("San Diego", 32.72, -117.16, "US", "America/Los_Angeles"), ("Hilo", 19.71, -155.09, "US", "Pacific/Honolulu"),
        ("Hamilton", -37.79, 175.28, "NZ", "Pacific/Auckland"), ("Canberra", -35.28, 149.13, "AU", "Australia/Sydney"),
    ])
    func aCityIsInTheZoneOfItsCountry(
        city: String, latitude: Double, longitude: Double, country: String, expected: String
    ) {
        #expect(zone(latitude, longitude, country) == expected, "\(city)")
    }

    /// A second zone with another time is less than twice as far away. Phoenix differs from Denver in summer only.
    @Test(arguments: [
        ("Dallas", 32.78, -96.80, "US"), ("Pensacola", 30.42, -87.22, "US"), ("Gallup", 35.53, -108.74, "US"),
        ("Birdsville", -25.90, 139.35, "AU"), ("Unknown country", 48.21, 16.37, "XX"),
    ])
    func nearAnotherZoneThereIsNone(city: String, latitude: Double, longitude: Double, country: String) {
        #expect(zone(latitude, longitude, country) == nil, "\(city)")
    }

    @Test func withoutACountryAllNearZonesMustAgree() {
        #expect(zone(48.21, 16.37, nil) == "Europe/Vienna")
        #expect(zone(35.68, 139.69, nil) == "Asia/Tokyo")
        // On the other side of the border is another time.
        #expect(zone(59.38, 28.19, nil) == nil)
        #expect(zone(38.88, -7.16, nil) == nil)
        // In the Atlantic
        #expect(zone(35, -40, nil) == nil)
    }

    @Test func anInvalidCoordinateHasNone() {
        #expect(zone(.nan, 0, "AT") == nil)
        #expect(zone(91, 0, "AT") == nil)
    }

    /// By the database of this machine.
    @Test(.enabled(if: !ZoneTable.machine.zones.isEmpty, "needs tzdata"))
    func aPlacemarkHasAZone() throws {
        final class Town: CLPlacemark {
            override var location: CLLocation? { CLLocation(latitude: 52.5, longitude: 13.4) }
            override var isoCountryCode: String? { "DE" }
        }
        #expect(Town().timeZone?.identifier == "Europe/Berlin")
        #expect(CLPlacemark(placemark: Town()).timeZone?.identifier == "Europe/Berlin")
        #expect(CLPlacemark(placemark: CLPlacemark()).timeZone == nil)
    }
}
