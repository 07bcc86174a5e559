internal import LocationModel

/// Suppresses locations until the device has moved far enough from the last delivered one.
///
/// Distances are horizontal, along the WGS 84 ellipsoid. A smaller move is admitted only if the accuracy clearly
/// improved, so that an app with a wide filter does not sit on the poor first fix of a receiver.
struct DistanceFilter {
    /// The least movement that is delivered, in metres. `nil` or less than zero admits everything.
    let minimumDistance: Double?

    /// How much of the last delivered accuracy is left when it counts as clearly improved.
    static let clearImprovement = 0.5

    /// Returns whether `location` may follow `lastDelivered`.
    func admits(_ location: Location, after lastDelivered: Delivered?) -> Bool {
        guard let minimumDistance, minimumDistance > 0, let lastDelivered else { return true }
        if lastDelivered.distance(to: location) >= minimumDistance { return true }
        guard let now = location.horizontalAccuracy, let then = lastDelivered.horizontalAccuracy else { return false }
        return now <= then * Self.clearImprovement
    }
}
