internal import LocationModel

/// Finds the fixes of a receiver that no vehicle can have moved to since the fix before.
///
/// Attack: a transmitter sends signals as of another place, stronger than those of the satellites, and the receiver
/// follows it there at once.
struct JumpDetector {
    private var last: (place: Movement.Place, timestamp: Timestamp, time: Double)?

    /// Returns whether a fix is a jump. Later fixes are compared with it.
    ///
    /// - Parameters:
    ///   - place: The place of the fix.
    ///   - timestamp: The time of the fix.
    ///   - now: The time of its arrival, in seconds of a clock that goes on while the machine sleeps.
    mutating func isJump(to place: Movement.Place, dated timestamp: Timestamp, at now: Double) -> Bool {
        defer { last = (place, timestamp, now) }
        guard let last, !place.isNear(last.place) else { return false }
        // Fixes may arrive in a heap after a pause, or have no time of their own. Whoever invents both, the place and a
        // time that suits it, is found by the clock.
        let seconds = max(now - last.time, timestamp.seconds(since: last.timestamp), 0)
        let distance = Movement.greatestDistance(from: last.place, to: place, seconds: seconds)
        return place.isFarther(than: distance, from: last.place)
    }
}
