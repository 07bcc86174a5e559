/// A satellite in the receiver's view. It counts once, however many of its signals are tracked.
public struct Satellite: Sendable, Hashable, Codable {
    /// A satellite navigation system.
    public enum Constellation: String, Sendable, Hashable, Codable, CaseIterable {
        case gps, sbas, glonass, galileo, beidou, qzss, navic
    }

    /// The system that the satellite belongs to; `nil` when the receiver's number fits none.
    public var constellation: Constellation?
    /// The number within its constellation: PRN, slot or SVID as the system's operator counts (GPS 1...32).
    public var number: Int
    /// Degrees above the horizon, -90...90.
    public var elevation: Double?
    /// Degrees clockwise from true north, 0..<360.
    public var azimuth: Double?
    /// Carrier to noise density of the strongest signal, dB-Hz.
    public var signalStrength: Double?
    /// A Boolean value indicating whether the current fix uses it.
    public var used: Bool

    /// A satellite of which only the name is known.
    public init(constellation: Constellation?, number: Int, used: Bool = false) {
        self.constellation = constellation
        self.number = number
        self.used = used
    }
}
