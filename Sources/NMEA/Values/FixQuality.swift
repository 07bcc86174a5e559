/// The way in which a position was obtained: GGA field 6, the mode indicator of RMC, GLL and GNS, and their
/// proprietary equivalents.
public enum FixQuality: UInt8, Sendable, Hashable, CaseIterable {
    /// Satellites alone, without corrections (GGA 1, mode A).
    case autonomous
    /// Corrected by SBAS or a reference station (GGA 2 and 9, mode D).
    case differential
    /// The encrypted precise service (GGA 3, mode P).
    case precise
    /// Carrier phase with the ambiguities resolved to integers (GGA 4, mode R).
    case rtkFixed
    /// Carrier phase with the ambiguities not yet resolved (GGA 5, mode F).
    case rtkFloat
    /// Dead reckoning from sensors and the last fix, with no or too few satellites (GGA 6, mode E).
    case estimated
    /// Entered manually (GGA 7, mode M).
    case manual
    /// Simulated by the receiver (GGA 8, mode S).
    case simulated
    /// A fix of a kind that the receiver does not name in a way that is known (GGA 10 and above).
    case unknown
}

/// The dimensions of a fix, as the receiver reports them.
public enum FixDimension: UInt8, Sendable, Hashable {
    /// Latitude and longitude. The height is assumed.
    case two = 2
    /// Latitude, longitude and height.
    case three = 3
}
