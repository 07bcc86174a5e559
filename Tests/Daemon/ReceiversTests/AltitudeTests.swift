import LocationModel
import NMEA
import Testing

@testable import Receivers

/// The two altitudes of a fix, from receivers that report both, one or a wrong separation.
@Suite struct AltitudeTests {
    private static let rmc = "GPRMC,120000,A,4807.0380,N,01131.0000,E,0.0,,191120,,,A"

    /// Returns the epoch of these sentences and RMC.
    private func epoch(_ bodies: [String]) throws -> Epoch {
        var decoder = NMEADecoder()
        var epochs: [Epoch] = []
        let bytes = Array((bodies + [Self.rmc]).map(SentenceFixture.sentence).joined().utf8)
        var offset = 0
        while let event = decoder.next(in: bytes.span.bytes, at: &offset) ?? decoder.flush() {
            if case .epoch(let epoch) = event { epochs.append(epoch) }
        }
        return try #require(epochs.last)
    }

    private func location(_ bodies: String...) throws -> Location {
        try #require(Fix(try epoch(bodies), receiver: "gps")).location
    }

    @Test func aReceiversOwnSeparationCounts() throws {
        let location = try location("GPGGA,120000,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,")
        #expect(location.altitude == 545.4 && location.ellipsoidalAltitude == 592.3)
        #expect(location.modelledAltitude == nil)
    }

    @Test func withoutASeparationTheEllipsoidalAltitudeIsModelled() throws {
        let location = try location("GPGGA,120000,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,,M,,")
        #expect(location.altitude == 545.4 && location.modelledAltitude == .ellipsoidalAltitude)
        #expect(abs(try #require(location.ellipsoidalAltitude) - 591) < 4)
    }

    @Test func theAltitudeOfPUBXIsModelled() throws {
        let location = try location(
            "PUBX,00,120000.00,4807.0380,N,01131.0000,E,592.3,G3,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0")
        #expect(location.ellipsoidalAltitude == 592.3 && location.modelledAltitude == .altitude)
        #expect(abs(try #require(location.altitude) - 546.7) < 4)
        // The receiver reports 2 m, and the model adds its own error.
        #expect(try #require(location.verticalAccuracy) > 2.5)
    }

    @Test func onAnotherDatumNothingIsModelled() throws {
        let location = try location(
            "GPDTM,EUR,M,,,,,,W84", "GPGGA,120000,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,,M,,")
        #expect(location.altitude == 545.4 && location.ellipsoidalAltitude == nil && location.modelledAltitude == nil)
    }

    @Test(arguments: [
        // Munich is 46 m above the ellipsoid.
        ("4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,0.0,M,,", true),
        ("4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,0,M,,", true),
        ("4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,", false),
        ("4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,,M,,", false),
        // The receiver does not know its height.
        ("4807.0380,N,01131.0000,E,1,03,0.9,0.0,M,0.0,M,,", false),
        ("4807.0380,N,01131.0000,E,1,03,0.9,,M,0.0,M,,", false),
        // In Brazil 0 is right.
        ("1437.2730,S,05458.7332,W,1,08,0.9,545.4,M,0.0,M,,", false),
    ])
    func aSeparationOfZeroIsNoticedWhereItIsWrong(_ rest: String, _ isWrong: Bool) throws {
        #expect(try epoch(["GPGGA,120000,\(rest)"]).hasWrongZeroSeparation == isWrong)
    }

    @Test func inTwoDimensionsAnAltitudeIsAssumed() throws {
        let gga = "GPGGA,120000,4807.0380,N,01131.0000,E,1,08,0.9,545.4,M,0.0,M,,"
        #expect(try epoch([gga, "GPGSA,A,3,01,02,03,04,,,,,,,,,1.5,0.9,1.2"]).hasWrongZeroSeparation)
        #expect(try !epoch([gga, "GPGSA,A,2,01,02,03,,,,,,,,,,1.5,0.9,1.2"]).hasWrongZeroSeparation)
    }
}
