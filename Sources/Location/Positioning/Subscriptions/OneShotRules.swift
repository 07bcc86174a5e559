public import LocationModel

/// The rules for a request of one location: the first one that is accurate enough, or else the best one until a
/// timeout.
public struct OneShotRules: Sendable {
    /// The accuracy that the app desires.
    public let desiredAccuracy: DesiredAccuracy
    /// The best location so far, or `nil` if there is none.
    public private(set) var best: Location?

    /// Creates the rules of a request that has not been answered yet.
    public init(desiredAccuracy: DesiredAccuracy) {
        self.desiredAccuracy = desiredAccuracy
    }

    /// Returns whether `location` answers the request at once. If not, it is kept if it is the best so far.
    public mutating func isSatisfied(by location: Location) -> Bool {
        if let accuracy = location.horizontalAccuracy, accuracy <= desiredAccuracy.requiredHorizontalAccuracy {
            return true
        }
        // Of two equally accurate locations, the newer one counts. A location of unknown accuracy counts only if there
        // is no other location.
        if (location.horizontalAccuracy ?? .infinity) <= (best?.horizontalAccuracy ?? .infinity) {
            best = location
        }
        return desiredAccuracy == .reduced
    }
}
