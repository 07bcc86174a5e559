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
    ///
    /// Attack: the networks of a remembered place are imitated. The place, which is known at once, would answer every
    /// request before the receiver has its fix. So it only waits for the timeout while a fix may still come, and a fix
    /// replaces it, however inaccurate it is.
    ///
    /// - Parameter isProvisional: A Boolean value indicating whether it is a remembered place, and a receiver may still
    ///   find a fix.
    public mutating func isSatisfied(by location: Location, isProvisional: Bool = false) -> Bool {
        if !isProvisional, let accuracy = location.horizontalAccuracy,
            accuracy <= desiredAccuracy.requiredHorizontalAccuracy
        {
            return true
        }
        // Of two equally accurate locations, the newer one counts. A location of unknown accuracy counts only if there
        // is no other location.
        let (isPlace, isBestPlace) = (location.quality == .remembered, best?.quality == .remembered)
        let isMoreAccurate = (location.horizontalAccuracy ?? .infinity) <= (best?.horizontalAccuracy ?? .infinity)
        if best == nil || (isPlace == isBestPlace ? isMoreAccurate : isBestPlace) { best = location }
        return desiredAccuracy == .reduced && !isProvisional
    }
}
