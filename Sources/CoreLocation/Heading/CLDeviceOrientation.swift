/// The physical orientation of a device. It decides to which side of the device a heading refers.
@nonexhaustive
public enum CLDeviceOrientation: Int32, Sendable {
    /// The orientation is unknown.
    case unknown = 0
    /// The device is upright, with its top pointing up.
    case portrait = 1
    /// The device is upright, with its top pointing down.
    case portraitUpsideDown = 2
    /// The device is upright, with its top pointing left.
    case landscapeLeft = 3
    /// The device is upright, with its top pointing right.
    case landscapeRight = 4
    /// The device is lying flat, with its display facing up.
    case faceUp = 5
    /// The device is lying flat, with its display facing down.
    case faceDown = 6
}
