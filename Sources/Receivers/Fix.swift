public import Positioning

/// What a receiver found out in one epoch.
public struct Fix: Sendable, Equatable {
    /// How a position was obtained: the fix quality of GGA in NMEA 0183, and gpsd's status.
    public enum Quality: String, Sendable, Hashable {
        /// Valid, of a kind that the receiver did not tell.
        case unknown
        /// Satellites alone.
        case autonomous
        /// Corrected by SBAS or a base station.
        case differential
        /// The encrypted military service.
        case precise
        /// Carrier phase with its ambiguities resolved: centimetres.
        case rtkFixed
        /// Carrier phase without: decimetres.
        case rtkFloat
        /// Dead reckoning: no satellites at the moment.
        case estimated
        /// Entered by a person, or surveyed.
        case manual
        /// Made up.
        case simulated
    }

    /// The position, with `receiver` and `simulated` set.
    public var location: Location
    /// How the position was obtained.
    public var quality: Quality
    /// Whether the receiver solved for the altitude too; `nil` when it did not say.
    public var is3D: Bool?
    /// How many satellites the solution uses.
    public var satellitesUsed: Int?
    /// Horizontal dilution of precision.
    public var hdop: Double?
    /// Vertical dilution of precision.
    public var vdop: Double?
    /// Position (3D) dilution of precision.
    public var pdop: Double?

    /// A fix of which only the location is known.
    public init(location: Location, quality: Quality = .unknown) {
        self.location = location
        self.quality = quality
    }
}
