public import LocationModel
public import NMEA

/// What a receiver found out in one epoch.
public struct Fix: Sendable, Equatable {
    /// The position, with `receiver` and `simulated` set.
    public var location: Location
    /// How the position was obtained; `nil` when the receiver did not say.
    public var quality: FixQuality?
    /// A Boolean value indicating whether the receiver solved for the altitude too; `nil` when it did not say.
    public var dimension: FixDimension?
    /// How many satellites the solution uses.
    public var satellitesUsed: Int?
    /// Horizontal dilution of precision, 0.01...89.99.
    public var hdop: Double?
    /// Vertical dilution of precision, 0.01...89.99.
    public var vdop: Double?
    /// Position (3D) dilution of precision, 0.01...89.99.
    public var pdop: Double?
    /// A Boolean value indicating whether the receiver said that its coordinates are on another datum than WGS 84: they
    /// may be some hundred metres off.
    public var otherDatum = false

    /// A fix of which only the location is known.
    public init(location: Location) {
        self.location = location
    }
}
