import LocationModel
import TestSupport
import Testing

@testable import Beacons

@Suite struct BeaconAdvertisementTests {
    @Test func theDataOfABeaconIsParsed() throws {
        let advertisement = try #require(BeaconAdvertisement(BeaconSamples.data))
        #expect(advertisement.identity == BeaconSamples.identity(1, 258))
        #expect(advertisement.measuredPower == -59)
        #expect(advertisement.identity.uuid.description == BeaconSamples.uuid)
        // Longer data is a beacon, too.
        #expect(BeaconAdvertisement(BeaconSamples.data + [1, 2]) == advertisement)
    }

    /// Shorter data, the messages of Apple's other devices, and AltBeacon.
    @Test(
        arguments: [
            [], [0x02], [0x02, 0x15], Array(BeaconSamples.data.dropLast()), [0x10] + BeaconSamples.data.dropFirst(),
            [0x02, 0x14] + BeaconSamples.data.dropFirst(2), [0xBE, 0xAC] + BeaconSamples.data.dropFirst(2),
        ] as [[UInt8]])
    func otherDataIsNoBeacon(_ data: [UInt8]) {
        #expect(BeaconAdvertisement(data) == nil)
    }

    @Test func noDataEndsTheProcess() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        for _ in 0..<10_000 {
            let length = Int.random(in: 0...40, using: &random)
            let data = (0..<length).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
            #expect((BeaconAdvertisement(data) != nil) == (length >= 23 && data[0] == 2 && data[1] == 0x15), "\(seed)")
        }
    }

    @Test(arguments: [
        "", "e2c56db5", "e2c56db5dffb48d2b060d0f5a71096e0", "e2c56db5-dffb-48d2-b060-d0f5a71096e",
        "g2c56db5-dffb-48d2-b060-d0f5a71096e0", "e2c56db5-dffb-48d2-b060-d0f5a71096e0-",
        "+2c56db5-dffb-48d2-b060-d0f5a71096e0",
        "e2c56db-5dffb-48d2-b060-d0f5a71096e0",
    ])
    func otherTextIsNoUUID(_ text: String) {
        #expect(BeaconUUID(text) == nil)
    }

    @Test func aUUIDHasEitherCase() throws {
        let uuid = try #require(BeaconUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
        #expect(uuid == BeaconUUID(BeaconSamples.uuid))
        #expect(BeaconUUID("00000000-0000-0000-0000-00000000000f")?.description.hasSuffix("-00000000000f") == true)
        #expect(
            BeaconUUID("ffffffff-ffff-ffff-ffff-ffffffffffff")?.description == "ffffffff-ffff-ffff-ffff-ffffffffffff")
    }

    @Test func constraintsHaveWildcards() {
        let beacon = BeaconSamples.identity(7, 9)
        #expect(BeaconSamples.pattern().matches(beacon))
        #expect(BeaconSamples.pattern(major: 7).matches(beacon))
        #expect(BeaconSamples.pattern(major: 7, minor: 9).matches(beacon))
        #expect(!BeaconSamples.pattern(major: 8).matches(beacon))
        #expect(!BeaconSamples.pattern(major: 7, minor: 8).matches(beacon))
    }

    /// The data that a monitor of BlueZ looks for begins with the company identifier.
    @Test func theBeginningOfTheDataFollowsFromTheConstraint() throws {
        let data = [0x4C, 0x00] + BeaconSamples.data
        #expect(BeaconAdvertisement.beginning(of: BeaconSamples.pattern()) == Array(data.prefix(20)))
        #expect(BeaconAdvertisement.beginning(of: BeaconSamples.pattern(major: 1)) == Array(data.prefix(22)))
        let one = BeaconSamples.pattern(major: 1, minor: 258)
        #expect(BeaconAdvertisement.beginning(of: one) == Array(data.prefix(24)))
    }

    /// Attack: an app lists all beacons around, by a UUID that stands for any.
    @Test func noUUIDIsAWildcard() throws {
        let zeros = BeaconConstraint(uuid: "00000000-0000-0000-0000-000000000000")
        #expect(try #require(BeaconPattern(zeros)).matches(BeaconSamples.identity()) == false)
        #expect(BeaconPattern(BeaconConstraint(uuid: "")) == nil)
    }

    @Test(arguments: [(-1, nil), (65_536, nil), (1, -1), (1, 65_536), (nil, 1)] as [(Int?, Int?)])
    func invalidNumbersAreRefused(_ major: Int?, _ minor: Int?) {
        #expect(BeaconPattern(BeaconConstraint(uuid: BeaconSamples.uuid, major: major, minor: minor)) == nil)
    }
}
