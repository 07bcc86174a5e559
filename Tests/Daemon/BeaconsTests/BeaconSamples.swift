import LocationModel

@testable import Beacons

/// Beacons for tests.
enum BeaconSamples {
    static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

    static func identity(_ major: UInt16 = 1, _ minor: UInt16 = 2) -> BeaconIdentity {
        BeaconIdentity(uuid: BeaconUUID(uuid)!, major: major, minor: minor)
    }

    static func advertisement(_ major: UInt16 = 1, _ minor: UInt16 = 2) -> BeaconAdvertisement {
        BeaconAdvertisement(identity: identity(major, minor), measuredPower: -59)
    }

    static func pattern(major: Int? = nil, minor: Int? = nil) -> BeaconPattern {
        BeaconPattern(BeaconConstraint(uuid: uuid, major: major, minor: minor))!
    }

    /// Apple's example, "Getting Started with iBeacon": the data after the company identifier.
    static let data: [UInt8] =
        [
            0x02, 0x15, 0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0,
        ] + [0x00, 0x01, 0x01, 0x02, 0xC5]
}
