internal import LocationModel

/// The least difference between two locations that a client is notified of. 0 is no limit.
///
/// They hold from the next location on, also for a client that is active. So the subscription of a client delivers
/// every location, and the client object decides.
struct Thresholds: Equatable {
    /// The distance in metres.
    var distance: UInt32 = 0
    /// The time in seconds, by the locations' own timestamps.
    var time: UInt32 = 0

    /// Returns whether `location` may follow `last`, which is the last one that the client was notified of.
    ///
    /// Both limits have to be met. Unlike in a Varlink subscription, a better accuracy is no reason to notify.
    func admit(_ location: Location, after last: Location?) -> Bool {
        guard let last else { return true }
        if time > 0, location.timestamp.seconds(since: last.timestamp).magnitude < Double(time) { return false }
        return distance == 0 || location.distance(to: last) >= Double(distance)
    }
}
