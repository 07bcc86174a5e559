import Foundation

extension CLMonitor {
    /// Holds while a beacon is near. Beacons cannot be sought for on Linux: its events say `conditionUnsupported`.
    public struct BeaconIdentityCondition: CLCondition, Sendable {
        /// Names the beacon's owner.
        public let uuid: UUID
        /// Names a group of the owner's beacons; `nil` for all.
        public let major: CLBeaconMajorValue?
        /// Names the beacon in its group; `nil` for all.
        public let minor: CLBeaconMinorValue?

        /// All beacons of an owner.
        public init(uuid: UUID) {
            self.uuid = uuid
            major = nil
            minor = nil
        }

        /// All beacons of an owner's group.
        public init(uuid: UUID, major: CLBeaconMajorValue) {
            self.uuid = uuid
            self.major = major
            minor = nil
        }

        /// One beacon.
        public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
            self.uuid = uuid
            self.major = major
            self.minor = minor
        }
    }
}
