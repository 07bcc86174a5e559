package import LocationModel

/// The clock for the age of queued reports. It detects when the machine's clock is set.
///
/// A machine without a battery for its clock starts in the past, and its clock is set forward by years once it has a
/// network or a fix. Reports queued before that must not count as years old, so their times are shifted along with the
/// clock.
package struct AgeClock: Sendable {
    /// The maximum difference between the machine's clock and the elapsed time, in seconds, that counts as correct.
    package static let tolerance = 60.0

    private var wall: Timestamp
    private var elapsed: Double

    /// Starts at a time.
    ///
    /// - Parameters:
    ///   - wall: The machine's clock.
    ///   - elapsed: A clock that is never set and keeps counting while the machine sleeps, in seconds.
    package init(wall: Timestamp, elapsed: Double) {
        self.wall = wall
        self.elapsed = elapsed
    }

    /// Records the time. Returns the jump of the machine's clock since the last call, in seconds: positive if it was
    /// set forward, negative if it was set back, `nil` if it was not set.
    package mutating func advance(wall: Timestamp, elapsed: Double) -> Double? {
        let difference = wall.seconds(since: self.wall) - (elapsed - self.elapsed)
        self.wall = wall
        self.elapsed = elapsed
        return difference.magnitude > Self.tolerance ? difference : nil
    }
}
