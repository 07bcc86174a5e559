/// A satellite navigation system.
public enum Constellation: UInt8, Sendable, Hashable, CaseIterable {
    case gps, sbas, glonass, galileo, beidou, qzss, navic
}

/// A satellite above the receiver's horizon. It appears once, regardless of how many of its signals are tracked.
public struct SatelliteInView: Sendable, Hashable {
    /// The system that the satellite belongs to.
    public internal(set) var constellation: Constellation
    /// The number that the system's operator uses: GPS 1...32, SBAS 120...158, GLONASS slot 1...32, Galileo 1...36,
    /// BeiDou 1...63, QZSS 1...10, NavIC 1...15.
    public internal(set) var number: Int
    /// The elevation in degrees above the horizon, -90 ... 90.
    public internal(set) var elevation: Int?
    /// The azimuth in degrees clockwise from true north, 0 ... 359.
    public internal(set) var azimuth: Int?
    /// The carrier-to-noise density of the strongest signal in dB-Hz, or `nil` if the satellite is in view but not
    /// tracked.
    public internal(set) var signalStrength: Double?
    /// A Boolean value indicating whether the latest fix uses the satellite.
    public internal(set) var used: Bool
}
