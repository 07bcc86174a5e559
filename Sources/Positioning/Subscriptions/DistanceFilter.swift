internal import LocationModel

/// A filter that suppresses locations until the device has moved far enough from the last delivered one.
///
/// Distances are horizontal, along the WGS 84 ellipsoid. A smaller move is admitted only if the accuracy has
/// clearly improved, so that an app with a wide filter does not have to keep the poor first fix of a receiver.
struct DistanceFilter {
    /// The least movement that is delivered, in metres. `nil`, zero or less admits everything.
    let minimumDistance: Double?

    /// The greatest ratio of the new accuracy to the last delivered one that counts as a clear improvement.
    static let clearImprovement = 0.5

    /// Returns whether `location` may follow `lastDelivered`.
    func admits(_ location: Location, after lastDelivered: Delivered?) -> Bool {
        guard let minimumDistance, minimumDistance > 0, let lastDelivered else { return true }
        if lastDelivered.distance(to: location) >= minimumDistance { return true }
        guard let now = location.horizontalAccuracy, let then = lastDelivered.horizontalAccuracy else { return false }
        return now <= then * Self.clearImprovement
    }
}
