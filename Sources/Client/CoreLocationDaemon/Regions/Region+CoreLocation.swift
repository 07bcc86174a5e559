internal import CoreLocation
internal import LocationClient
internal import LocationModel

extension Region {
    /// Creates the daemon's form of a region, or returns `nil` if it is neither a circle nor the range of beacons.
    init?(_ region: CLRegion) {
        if let beacons = region as? CLBeaconRegion {
            let constraint = BeaconConstraint(beacons.beaconIdentityConstraint)
            var region = BeaconRegion(identifier: beacons.identifier, constraint: constraint)
            (region.notifyOnEntry, region.notifyOnExit) = (beacons.notifyOnEntry, beacons.notifyOnExit)
            self = .beacons(region)
        } else if let circle = CircularRegion(region) {
            self = .circle(circle)
        } else {
            return nil
        }
    }

    /// A new object for the region.
    var object: CLRegion {
        switch self {
        case .circle(let region): CLCircularRegion(region)
        case .beacons(let region): CLBeaconRegion(region)
        }
    }
}

extension BeaconConstraint {
    init(_ constraint: CLBeaconIdentityConstraint) {
        self.init(uuid: constraint.uuid, major: constraint.major, minor: constraint.minor)
    }

    init(uuid: UUID, major: CLBeaconMajorValue?, minor: CLBeaconMinorValue?) {
        self.init(uuid: uuid.uuidString.lowercased(), major: major.map(Int.init), minor: minor.map(Int.init))
    }

    /// The values as Core Location has them. The daemon's are valid.
    fileprivate var values: (uuid: UUID, major: CLBeaconMajorValue?, minor: CLBeaconMinorValue?) {
        (
            UUID(uuidString: uuid) ?? UUID(), major.flatMap { CLBeaconMajorValue(exactly: $0) },
            minor.flatMap { CLBeaconMinorValue(exactly: $0) }
        )
    }
}

extension CLBeaconRegion {
    convenience init(_ region: BeaconRegion) {
        let (uuid, major, minor) = region.constraint.values
        switch (major, minor) {
        case (let major?, let minor?):
            self.init(uuid: uuid, major: major, minor: minor, identifier: region.identifier)
        case (let major?, nil): self.init(uuid: uuid, major: major, identifier: region.identifier)
        case (nil, _): self.init(uuid: uuid, identifier: region.identifier)
        }
        notifyOnEntry = region.notifyOnEntry ?? true
        notifyOnExit = region.notifyOnExit ?? true
    }
}

extension CLMonitor.BeaconIdentityCondition {
    /// Creates the condition for the beacon that satisfies another condition, or returns `nil` if it says no more than
    /// that one.
    init?(_ beacon: BeaconConstraint, refining condition: Self) {
        guard beacon != BeaconConstraint(uuid: condition.uuid, major: condition.major, minor: condition.minor),
            case (let uuid, let major?, let minor?) = beacon.values
        else { return nil }
        self.init(uuid: uuid, major: major, minor: minor)
    }
}
