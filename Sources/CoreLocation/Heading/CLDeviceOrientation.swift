/// How a device is held, which tells what side of it a heading is of.
@nonexhaustive
public enum CLDeviceOrientation: Int32, Sendable {
    /// Unknown.
    case unknown = 0
    /// Upright.
    case portrait = 1
    /// Upright, the top pointing down.
    case portraitUpsideDown = 2
    /// Upright, the top pointing left.
    case landscapeLeft = 3
    /// Upright, the top pointing right.
    case landscapeRight = 4
    /// Lying, the display pointing up.
    case faceUp = 5
    /// Lying, the display pointing down.
    case faceDown = 6
}
