/// The wanted beacons by the paths of BlueZ's objects for their devices. BlueZ reports the strength of a signal without
/// its data, too.
struct BeaconDevices {
    /// The maximum number of devices. The one whose data is oldest makes room for another.
    ///
    /// Attack: a device nearby advertises under thousands of addresses. Without room for new ones, nobody else's beacon
    /// would be found while it does.
    static let maximumCount = 512

    private var devices: [String: (advertisement: BeaconAdvertisement, number: UInt64)] = [:]
    /// The number of advertisements so far.
    private var number: UInt64 = 0

    /// The number of devices.
    var count: Int { devices.count }

    /// The beacon of a device, or `nil` if it is not a wanted one.
    subscript(path: String) -> BeaconAdvertisement? { devices[path]?.advertisement }

    /// Sets the beacon of a device, or `nil` if it is not a wanted one.
    mutating func set(_ advertisement: BeaconAdvertisement?, of path: String) {
        guard let advertisement else { return devices[path] = nil }
        if devices[path] == nil, devices.count == Self.maximumCount,
            let oldest = devices.min(by: { $0.value.number < $1.value.number })
        {
            devices[oldest.key] = nil
        }
        number += 1
        devices[path] = (advertisement, number)
    }

    /// Forgets the devices whose beacons are not wanted.
    mutating func keep(_ isWanted: (BeaconIdentity) -> Bool) {
        devices = devices.filter { isWanted($0.value.advertisement.identity) }
    }
}
