import Testing

@testable import Beacons

@Suite struct BeaconDevicesTests {
    @Test func aDeviceHasItsLatestBeacon() {
        var devices = BeaconDevices()
        devices.set(BeaconSamples.advertisement(1, 1), of: "a")
        devices.set(BeaconSamples.advertisement(1, 2), of: "a")
        devices.set(BeaconSamples.advertisement(2, 1), of: "b")
        #expect(devices["a"] == BeaconSamples.advertisement(1, 2))
        devices.set(nil, of: "a")
        #expect(devices["a"] == nil)
        devices.keep { $0.major == 1 }
        #expect(devices.count == 0)
    }

    /// Attack: a device nearby advertises under thousands of addresses, so that no other beacon is found.
    @Test func manyDevicesDoNotKeepOthersOut() {
        var devices = BeaconDevices()
        devices.set(BeaconSamples.advertisement(9, 9), of: "known")
        for number in 0..<10_000 {
            devices.set(BeaconSamples.advertisement(), of: "\(number)")
            if number % 500 == 0 { devices.set(BeaconSamples.advertisement(9, 9), of: "known") }
        }
        #expect(devices.count == BeaconDevices.maximumCount)
        devices.set(BeaconSamples.advertisement(8, 8), of: "new")
        #expect(devices["new"] == BeaconSamples.advertisement(8, 8))
        #expect(devices["known"] == BeaconSamples.advertisement(9, 9))
        #expect(devices.count == BeaconDevices.maximumCount)
    }
}
