/// An event that a decoder finds in the bytes.
public enum Event: Sendable, Equatable {
    /// A fix. The decoder's `satellites` are the satellites in view at that time.
    case epoch(Epoch)
    /// The direction that the device points in. There is one event for each sentence with a heading, so up to tens per
    /// second.
    case heading(Heading)
}

/// The direction that the device points in, from a compass or a two-antenna receiver. It is not the direction of
/// motion.
public struct Heading: Sendable, Equatable {
    /// The true heading in degrees clockwise from true north, 0 ..< 360.
    public internal(set) var trueHeading: Double?
    /// The magnetic heading in degrees clockwise from magnetic north, with the deviation already applied, 0 ..< 360.
    public internal(set) var magneticHeading: Double?
    /// The angle in degrees from true north eastwards to magnetic north. Negative is west.
    public internal(set) var magneticVariation: Double?
    /// The accuracy in degrees, 68 %, or `nil` if the device does not report it (PASHR, NAV-RELPOSNED and
    /// UNIHEADINGA do).
    public internal(set) var accuracy: Double?
    /// The rate of turn in degrees per minute, positive if the bow turns to starboard: from the last ROT of this
    /// talker, or `nil` if it was not valid.
    public internal(set) var rateOfTurn: Double?
    /// A Boolean value indicating whether the device reports that the heading is simulated or was entered by hand (THS,
    /// modes S and M).
    public internal(set) var simulated: Bool
    /// The talker of the sentence.
    public internal(set) var talker: Talker
}
