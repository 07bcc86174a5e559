internal import LocationModel

/// The minimum difference between two locations that a client is notified of. 0 is no limit.
///
/// They apply from the next location on, even while the client is active. So a client's subscription delivers every
/// location, and the client object decides.
struct Thresholds: Equatable {
    /// The distance in metres.
    var distance: UInt32 = 0
    /// The time in seconds, by the locations' own timestamps.
    var time: UInt32 = 0

    /// Returns whether `location` may follow `last`, the last location that the client was notified of.
    ///
    /// Both limits must be met. Unlike in a Varlink subscription, better accuracy alone does not cause a notification.
    func admit(_ location: Location, after last: Location?) -> Bool {
        guard let last else { return true }
        if time > 0, location.timestamp.seconds(since: last.timestamp).magnitude < Double(time) { return false }
        return distance == 0 || location.distance(to: last) >= Double(distance)
    }
}
