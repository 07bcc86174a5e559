public import LocationModel
public import Varlink

/// The method that replies with the beacons in range.
public enum RangeBeacons: LocationMethod {
    /// A Boolean value indicating that the method must be called with `more`.
    public static let requiresMore = true
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The beacons to range.
        public var constraint: BeaconConstraint

        /// Creates the parameters of a call.
        public init(constraint: BeaconConstraint) { self.constraint = constraint }
    }
    /// The beacons in range.
    public typealias Reply = RangingReport
}

/// The method that returns whether this machine can find beacons.
public enum GetRanging: LocationMethod {
    /// No parameters.
    public typealias Parameters = Nothing
    /// The reply.
    public struct Reply: Codable, Sendable, Equatable {
        /// A Boolean value indicating whether the machine has a Bluetooth adapter, or beacons are simulated.
        public var available: Bool

        /// Creates a reply.
        public init(available: Bool) { self.available = available }
    }
}

/// A beacon that is made up.
public struct BeaconSimulation: Codable, Sendable, Equatable {
    /// The UUID, in hexadecimal digits with hyphens.
    public var uuid: String
    /// The major number, 0 to 65535.
    public var major: Int
    /// The minor number, 0 to 65535.
    public var minor: Int
    /// The distance in metres, 0.1 to 200.
    public var distance: Double

    /// Creates a simulated beacon.
    public init(uuid: String, major: Int, minor: Int, distance: Double) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.distance = distance
    }
}
