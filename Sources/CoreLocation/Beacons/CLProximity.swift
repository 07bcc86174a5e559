/// How far a beacon is.
@nonexhaustive
public enum CLProximity: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Within reach.
    case immediate = 1
    /// Some metres.
    case near = 2
    /// Farther.
    case far = 3
}
