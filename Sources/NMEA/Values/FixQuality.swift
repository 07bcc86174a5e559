/// How a position was obtained, best known of GGA field 6, the mode indicator of RMC, GLL and GNS, and their
/// proprietary likes.
public enum FixQuality: UInt8, Sendable, Hashable, CaseIterable {
    /// Satellites alone, no correction (GGA 1, mode A).
    case autonomous
    /// Corrected by SBAS or a reference station (GGA 2 and 9, mode D).
    case differential
    /// The encrypted precise service (GGA 3, mode P).
    case precise
    /// Carrier phase with the ambiguities resolved to integers (GGA 4, mode R).
    case rtkFixed
    /// Carrier phase, ambiguities not yet resolved (GGA 5, mode F).
    case rtkFloat
    /// Dead reckoning: sensors and the last fix, no or too few satellites (GGA 6, mode E).
    case estimated
    /// Typed in by somebody (GGA 7, mode M).
    case manual
    /// Made up by the receiver's simulator (GGA 8, mode S).
    case simulated
}

/// Whether the receiver solved for its height, as GSA tells.
public enum FixDimension: UInt8, Sendable, Hashable {
    /// Latitude and longitude; the height is assumed.
    case two = 2
    /// Latitude, longitude and height.
    case three = 3
}
