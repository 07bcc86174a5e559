/// Where the device points, from a compass or a two-antenna receiver. Not the direction of motion.
public struct Heading: Sendable, Equatable {
    /// Degrees clockwise from true north, 0 ..< 360.
    public internal(set) var trueHeading: Double?
    /// Degrees clockwise from magnetic north, deviation already applied, 0 ..< 360.
    public internal(set) var magneticHeading: Double?
    /// Degrees by which magnetic north lies east of true north; negative is west.
    public internal(set) var magneticVariation: Double?
    /// Degrees, 68 %, where the device tells it (PASHR).
    public internal(set) var accuracy: Double?
    /// Degrees per minute, positive when the bow turns to starboard: the last ROT of this talker.
    public internal(set) var rateOfTurn: Double?
    /// A Boolean value indicating whether the device says that it simulated, estimated or was given the heading by hand
    /// (THS).
    public internal(set) var simulated: Bool
    /// Who sent it.
    public internal(set) var talker: Talker
}
