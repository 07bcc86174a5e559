/// Where the device is, seen from one of the app's regions.
public struct RegionEvent: Codable, Sendable, Equatable {
    /// The region's.
    public var identifier: String
    /// Inside, outside, or not known yet.
    public var state: RegionState
    /// The location at which the crossing was noticed; `nil` where nothing was crossed.
    public var location: Location?

    /// That state of that region.
    public init(identifier: String, state: RegionState, location: Location? = nil) {
        self.identifier = identifier
        self.state = state
        self.location = location
    }
}
