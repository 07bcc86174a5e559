import Foundation

extension CLMonitor {
    /// A condition that is satisfied while a beacon is near, from its first signal until 30 s after its last one.
    public struct BeaconIdentityCondition: CLCondition, Sendable {
        /// The identifier of the beacon's owner.
        public let uuid: UUID
        /// The number of the owner's group, or `nil` for all groups.
        public let major: CLBeaconMajorValue?
        /// The number of the beacon in its group, or `nil` for all beacons.
        public let minor: CLBeaconMinorValue?

        /// Creates a condition for all beacons of an owner.
        public init(uuid: UUID) {
            self.uuid = uuid
            major = nil
            minor = nil
        }

        /// Creates a condition for all beacons of one of an owner's groups.
        public init(uuid: UUID, major: CLBeaconMajorValue) {
            self.uuid = uuid
            self.major = major
            minor = nil
        }

        /// Creates a condition for a single beacon.
        public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
            self.uuid = uuid
            self.major = major
            self.minor = minor
        }
    }
}
