internal import LocationModel

/// Finds fixes of a receiver that no vehicle can have moved to since the previous fix.
///
/// Attack: a transmitter imitates the signals at another place, stronger than the satellites, and the receiver follows
/// it there at once.
struct JumpDetector {
    private var last: (place: Movement.Place, timestamp: Timestamp, time: Double)?

    /// Returns whether a fix is a jump. Later fixes are compared with this fix.
    ///
    /// - Parameters:
    ///   - place: The place of the fix.
    ///   - timestamp: The time of the fix.
    ///   - now: The time of its arrival, in seconds of a clock that keeps running while the machine sleeps.
    mutating func isJump(to place: Movement.Place, dated timestamp: Timestamp, at now: Double) -> Bool {
        defer { last = (place, timestamp, now) }
        guard let last, !place.isNear(last.place) else { return false }
        // Fixes may arrive in a burst after a pause, or have no time of their own. The clock reveals an attacker who
        // invents both the place and a matching time.
        let seconds = max(now - last.time, timestamp.seconds(since: last.timestamp), 0)
        let distance = Movement.greatestDistance(from: last.place, to: place, seconds: seconds)
        return place.isFarther(than: distance, from: last.place)
    }
}
