/// The position of the device relative to one of the app's regions.
public struct RegionEvent: Codable, Sendable, Equatable {
    /// The identifier of the region.
    public var identifier: String
    /// The state: inside, outside, or not known yet.
    public var state: RegionState
    /// The location at which a crossing was detected, or `nil` if there was no crossing.
    public var location: Location?

    /// Creates an event for a region.
    public init(identifier: String, state: RegionState, location: Location? = nil) {
        self.identifier = identifier
        self.state = state
        self.location = location
    }
}
