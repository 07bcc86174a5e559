/// The beacons that an app wants: one UUID, and one major and one minor number or any.
public struct BeaconConstraint: Sendable, Hashable, Codable {
    /// The UUID of the beacons' owner, in hexadecimal digits with hyphens.
    public var uuid: String
    /// The major number, 0 to 65535, or `nil` for any.
    public var major: Int?
    /// The minor number, 0 to 65535, or `nil` for any. It requires a major number.
    public var minor: Int?

    /// Creates a constraint.
    public init(uuid: String, major: Int? = nil, minor: Int? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }
}

/// The range of beacons, which an app monitors as it does a circle.
public struct BeaconRegion: Sendable, Equatable, Codable {
    /// The identifier of the region, unique among an app's regions of both kinds.
    public var identifier: String
    /// The UUID of the beacons' owner, in hexadecimal digits with hyphens.
    public var uuid: String
    /// The major number, 0 to 65535, or `nil` for any.
    public var major: Int?
    /// The minor number, 0 to 65535, or `nil` for any. It requires a major number.
    public var minor: Int?
    /// A Boolean value indicating whether entering the region is reported. The default, if `nil`, is `true`.
    public var notifyOnEntry: Bool?
    /// A Boolean value indicating whether leaving the region is reported. The default, if `nil`, is `true`.
    public var notifyOnExit: Bool?

    /// Creates a region that reports both kinds of crossing.
    public init(identifier: String, constraint: BeaconConstraint) {
        self.identifier = identifier
        uuid = constraint.uuid
        major = constraint.major
        minor = constraint.minor
    }

    /// The beacons of the region.
    public var constraint: BeaconConstraint { BeaconConstraint(uuid: uuid, major: major, minor: minor) }
}

/// The rough distance of a beacon.
public enum BeaconProximity: String, Sendable, Codable, CaseIterable {
    /// Within half a metre.
    case immediate
    /// Within three metres.
    case near
    /// Farther away.
    case far
    /// The distance is not known.
    case unknown
}

/// A beacon in range.
public struct Beacon: Sendable, Equatable, Codable {
    /// The UUID of the beacon's owner, in lower case.
    public var uuid: String
    /// The major number, 0 to 65535.
    public var major: Int
    /// The minor number, 0 to 65535.
    public var minor: Int
    /// The rough distance.
    public var proximity: BeaconProximity
    /// The estimated distance in metres, rounded, or `nil` if it is not known.
    public var accuracy: Double?
    /// The mean signal strength in dBm, or `nil` if it is not known.
    public var rssi: Int?
    /// The time of the last advertisement.
    public var timestamp: Timestamp

    /// Creates a beacon at an unknown distance.
    public init(uuid: String, major: Int, minor: Int, timestamp: Timestamp) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.timestamp = timestamp
        proximity = .unknown
    }
}

/// The beacons in range that satisfy a constraint.
public struct RangingReport: Sendable, Equatable, Codable {
    /// The beacons, the nearest first. Beacons at an unknown distance are last.
    public var beacons: [Beacon]
    /// The reason why no beacon can be found at present, or `nil` if beacons are searched for.
    public var unavailable: String?

    /// Creates a report.
    public init(beacons: [Beacon], unavailable: String? = nil) {
        self.beacons = beacons
        self.unavailable = unavailable
    }
}
