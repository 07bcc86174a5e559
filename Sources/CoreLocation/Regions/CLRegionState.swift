/// Where the device is, seen from a region.
public enum CLRegionState: Int, Sendable {
    /// Not known, or not yet.
    case unknown = 0
    /// In the region.
    case inside = 1
    /// Out of the region.
    case outside = 2
}
