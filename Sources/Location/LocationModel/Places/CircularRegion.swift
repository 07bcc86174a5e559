/// A circle on the ground that an app monitors for crossings.
public struct CircularRegion: Sendable, Equatable, Codable {
    /// The identifier of the region, unique within an app.
    public var identifier: String
    /// The latitude of the centre in degrees, WGS 84.
    public var latitude: Double
    /// The longitude of the centre in degrees, WGS 84.
    public var longitude: Double
    /// The radius in metres, measured along the ellipsoid.
    public var radius: Double
    /// A Boolean value indicating whether entering the region is reported. The default, if `nil`, is `true`.
    public var notifyOnEntry: Bool?
    /// A Boolean value indicating whether leaving the region is reported. The default, if `nil`, is `true`.
    public var notifyOnExit: Bool?

    /// The allowed radii, in metres.
    public static let radii = 1.0...1_000_000.0
    /// The maximum length of an identifier, in bytes of UTF-8.
    public static let maximumIdentifierLength = 256
    /// The maximum number of regions that one app may monitor, of both kinds together.
    public static let maximumCount = 20

    /// Creates a region that reports both kinds of crossing.
    public init(identifier: String, latitude: Double, longitude: Double, radius: Double) {
        self.identifier = identifier
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
    }

    /// Returns whether a crossing to `state` is reported.
    public func reports(crossingTo state: RegionState) -> Bool {
        state.isReported(onEntry: notifyOnEntry, onExit: notifyOnExit)
    }

    /// Returns the distance from the border to `location` in metres, negative inside the region.
    package func distance(to location: Location) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: location.latitude, longitude: location.longitude)
            - radius
    }
}

/// The position of the device relative to a region.
public enum RegionState: String, Sendable, Codable, CaseIterable {
    /// The device is within the radius.
    case inside
    /// The device is beyond the radius.
    case outside
    /// The position is not known yet, or the region is not monitored.
    case unknown

    /// Returns whether a crossing to this state is reported by a region with these options.
    package func isReported(onEntry: Bool?, onExit: Bool?) -> Bool {
        switch self {
        case .inside: onEntry ?? true
        case .outside: onExit ?? true
        case .unknown: false
        }
    }
}

/// The position of the device relative to one of the app's regions.
public struct RegionEvent: Codable, Sendable, Equatable {
    /// The identifier of the region.
    public var identifier: String
    /// The state: inside, outside, or not known yet.
    public var state: RegionState
    /// The location that showed the crossing, or `nil` without a crossing, or for beacons.
    public var location: Location?
    /// The beacon that showed an entry, or the beacons of the region at an exit; `nil` without a crossing, or for a
    /// circle.
    public var beacon: BeaconConstraint?

    /// Creates an event for a region.
    public init(identifier: String, state: RegionState, location: Location? = nil, beacon: BeaconConstraint? = nil) {
        self.identifier = identifier
        self.state = state
        self.location = location
        self.beacon = beacon
    }
}
