/// The position of the device relative to a region.
public enum CLRegionState: Int, Sendable {
    /// The position relative to the region is not known, or not known yet.
    case unknown = 0
    /// The device is inside the region.
    case inside = 1
    /// The device is outside the region.
    case outside = 2
}
