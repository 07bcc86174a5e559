/// A latitude or longitude with every digit that the receiver sent.
///
/// NMEA 0183 writes degrees and decimal minutes (`4807.03812345`). This value is the same angle in units of a billionth
/// of a minute (about two micrometres on the ground), so up to nine decimals are exact. Further decimals, which no
/// receiver is known to send, are cut off.
public struct Coordinate: Sendable, Hashable {
    /// Billionths of a minute of arc, positive north and east. 90° is 5 400 000 000 000.
    public var nanominutes: Int64

    /// Creates a coordinate from billionths of a minute of arc, positive north and east.
    public init(nanominutes: Int64) {
        self.nanominutes = nanominutes
    }

    /// The coordinate in degrees, positive north and east: the `Double` nearest to the exact value.
    public var degrees: Double { Double(nanominutes) / 60e9 }
}
