import CoreLocation
import Testing

@Suite struct BeaconTests {
    private let uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!

    @Test func constraintsAreEqualByValue() {
        let one = CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 2)
        #expect(one == CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 2))
        #expect(one != CLBeaconIdentityConstraint(uuid: uuid, major: 1))
        #expect(Set([one, CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 2)]).count == 1)
    }

    @Test func regionsTellTheirConstraint() {
        let region = CLBeaconRegion(uuid: uuid, major: 1, minor: 2, identifier: "shop")
        #expect(region.beaconIdentityConstraint == CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 2))
        #expect((region.major, region.minor) == (1, 2))
        #expect(!region.notifyEntryStateOnDisplay)
        let all = CLBeaconRegion(beaconIdentityConstraint: CLBeaconIdentityConstraint(uuid: uuid), identifier: "all")
        #expect((all.major, all.minor) == (nil, nil))
        #expect(all.uuid == uuid)
    }

    @Test func aCopyIsOfTheSameValues() throws {
        let region = CLBeaconRegion(uuid: uuid, major: 1, identifier: "shop")
        region.notifyEntryStateOnDisplay = true
        region.notifyOnExit = false
        let copy = try #require(region.copy() as? CLBeaconRegion)
        #expect(copy !== region)
        #expect(copy.beaconIdentityConstraint == region.beaconIdentityConstraint)
        #expect(copy.identifier == "shop")
        #expect(copy.notifyEntryStateOnDisplay)
        #expect(!copy.notifyOnExit)
    }

    @Test func whatADeviceAdvertises() {
        let owner: [UInt8] = [
            0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF,
        ]
        let region = CLBeaconRegion(uuid: uuid, major: 0x0102, minor: 0x0304, identifier: "b")
        #expect(
            region.peripheralData(withMeasuredPower: -60)["kCBAdvDataAppleBeaconKey"] as? Data
                == Data(owner + [1, 2, 3, 4, 0xC4]))
        #expect(
            CLBeaconRegion(uuid: uuid, identifier: "b").peripheralData(withMeasuredPower: nil)[
                "kCBAdvDataAppleBeaconKey"] as? Data == Data(owner + [0, 0, 0, 0, 0xC5]))
    }
}
