/// The way in which a receiver obtained a position.
public enum LocationQuality: String, Sendable, Codable, CaseIterable {
    /// From satellites alone, without corrections.
    case autonomous
    /// From satellites, corrected by SBAS or a reference station.
    case differential
    /// From the encrypted precise service.
    case precise
    /// From the carrier phase, with the ambiguities resolved to integers.
    case rtkFixed
    /// From the carrier phase, with the ambiguities not yet resolved.
    case rtkFloat
    /// From sensors and the last fix, with no or too few satellites.
    case deadReckoning
    /// Stated by somebody, to this service or to the receiver: the place of a machine that does not move.
    case fixed
    /// Made up by the receiver.
    case simulated
}
