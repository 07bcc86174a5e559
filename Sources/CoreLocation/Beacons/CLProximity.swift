/// The approximate distance to a beacon.
@nonexhaustive
public enum CLProximity: Int, Sendable {
    /// The distance is unknown.
    case unknown = 0
    /// The beacon is within reach.
    case immediate = 1
    /// The beacon is a few metres away.
    case near = 2
    /// The beacon is farther away.
    case far = 3
}
