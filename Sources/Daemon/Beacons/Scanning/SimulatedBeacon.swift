package import LocationModel

/// A beacon that is made up, in the place of the real ones.
package struct SimulatedBeacon: Sendable {
    /// The allowed distances, in metres.
    package static let distances = 0.1...200.0
    /// The maximum number of simulated beacons.
    package static let maximumCount = 64
    /// The measured power, in dBm: the one of many beacons on sale.
    private static let measuredPower = -59

    let advertisement: BeaconAdvertisement
    let rssi: Double

    /// Creates a beacon at a distance in metres, or `nil` if a parameter is invalid.
    package init?(_ constraint: BeaconConstraint, distance: Double) {
        guard let pattern = BeaconPattern(constraint), let major = pattern.major, let minor = pattern.minor,
            Self.distances.contains(distance)
        else { return nil }
        advertisement = BeaconAdvertisement(
            identity: BeaconIdentity(uuid: pattern.uuid, major: major, minor: minor),
            measuredPower: Self.measuredPower)
        rssi = BeaconTrack.strength(at: distance, measuredPower: Double(Self.measuredPower))
    }
}
