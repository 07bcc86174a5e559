/// A circle on the ground that an app wants to know the crossings of.
public struct CircularRegion: Sendable, Equatable, Codable {
    /// Unique within an app.
    public var identifier: String
    /// Degrees, WGS 84.
    public var latitude: Double
    /// Degrees, WGS 84.
    public var longitude: Double
    /// Metres along the ellipsoid.
    public var radius: Double
    /// A Boolean value indicating whether entering is told; true where it is absent.
    public var notifyOnEntry: Bool?
    /// A Boolean value indicating whether leaving is told; true where it is absent.
    public var notifyOnExit: Bool?

    /// The radii that are taken, in metres.
    public static let radii = 1.0...1_000_000.0
    /// The longest identifier, in bytes of UTF-8.
    public static let maximumIdentifierLength = 256
    /// How many regions one app may monitor.
    public static let maximumCount = 20

    /// A circle of which both crossings are told.
    public init(identifier: String, latitude: Double, longitude: Double, radius: Double) {
        self.identifier = identifier
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
    }

    /// Returns whether a crossing to `state` is told.
    public func tells(_ state: RegionState) -> Bool {
        switch state {
        case .inside: notifyOnEntry ?? true
        case .outside: notifyOnExit ?? true
        case .unknown: false
        }
    }

    /// Metres from the border to `location`: negative inside.
    package func distance(to location: Location) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: location.latitude, longitude: location.longitude)
            - radius
    }
}

/// Where the device is, seen from a region.
public enum RegionState: String, Sendable, Codable, CaseIterable {
    /// Within the radius.
    case inside
    /// Beyond it.
    case outside
    /// Not found out yet, or not monitored.
    case unknown
}
