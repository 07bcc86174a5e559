public import LocationModel

/// A request for one location: the first that is good enough, else the best one within a time.
public struct OneShotRules: Sendable {
    /// How accurate the location should be.
    public let desiredAccuracy: DesiredAccuracy
    /// The best one so far.
    public private(set) var best: Location?

    /// A request that nothing has answered yet.
    public init(desiredAccuracy: DesiredAccuracy) {
        self.desiredAccuracy = desiredAccuracy
    }

    /// Returns whether `location` answers the request at once. If not, it is kept if it is the best so far.
    public mutating func isSatisfied(by location: Location) -> Bool {
        if let accuracy = location.horizontalAccuracy, accuracy <= desiredAccuracy.satisfactoryHorizontalAccuracy {
            return true
        }
        // Of two equally accurate ones the newer counts; one of unknown accuracy only where there is no other.
        if (location.horizontalAccuracy ?? .infinity) <= (best?.horizontalAccuracy ?? .infinity) {
            best = location
        }
        return desiredAccuracy == .reduced
    }
}
