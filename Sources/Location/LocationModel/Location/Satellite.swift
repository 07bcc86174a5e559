/// A satellite in the receiver's view. It counts once, regardless of how many of its signals are tracked.
public struct Satellite: Sendable, Hashable, Codable {
    /// A satellite navigation system.
    public enum Constellation: String, Sendable, Hashable, Codable, CaseIterable {
        case gps, sbas, glonass, galileo, beidou, qzss, navic
    }

    /// The satellite's system, or `nil` if the receiver's number does not fit any system.
    public var constellation: Constellation?
    /// The number within its constellation: the PRN, slot or SVID that the system's operator uses (GPS 1...32).
    public var number: Int
    /// The elevation in degrees above the horizon, -90...90.
    public var elevation: Double?
    /// The azimuth in degrees clockwise from true north, 0..<360.
    public var azimuth: Double?
    /// The carrier-to-noise density of the strongest signal, in dB-Hz.
    public var signalStrength: Double?
    /// A Boolean value indicating whether the current fix uses the satellite.
    public var used: Bool

    /// Creates a satellite with nothing but its constellation, its number and its use.
    public init(constellation: Constellation?, number: Int, used: Bool = false) {
        self.constellation = constellation
        self.number = number
        self.used = used
    }
}
