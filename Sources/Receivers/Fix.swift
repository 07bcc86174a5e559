public import LocationModel
public import NMEA

/// The result of one epoch of a receiver.
public struct Fix: Sendable, Equatable {
    /// The position, with `receiver` and `simulated` set.
    public var location: Location
    /// The origin of the location's timestamp.
    public var dating = FixDating.receiver
    /// The number of dimensions that the receiver solved for, or `nil` if it did not report that.
    public var dimension: FixDimension?
    /// Vertical dilution of precision, 0.01...89.99.
    public var vdop: Double?
    /// Position (3D) dilution of precision, 0.01...89.99.
    public var pdop: Double?
    /// The name of the datum of the coordinates if it is not WGS 84. They may be off by some hundred metres, which the
    /// accuracy includes.
    public var datum: String?

    /// Creates a fix of which only the location is known.
    public init(location: Location) {
        self.location = location
    }
}
