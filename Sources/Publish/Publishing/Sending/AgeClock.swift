package import LocationModel

/// The clock for the age of the reports in the queue. It notices when the machine's clock is set.
///
/// A machine without a battery for its clock begins in the past and is set forward by years, once it has a network or
/// a fix. What was put into the queue before that must not count as years old. So the time of these reports moves
/// along with the clock.
package struct AgeClock: Sendable {
    /// The greatest difference between the machine's clock and the time that has passed, in seconds, that counts as
    /// correct.
    package static let tolerance = 60.0

    private var wall: Timestamp
    private var elapsed: Double

    /// Begins at a time.
    ///
    /// - Parameters:
    ///   - wall: The machine's clock.
    ///   - elapsed: A clock that is never set and goes on while the machine sleeps, in seconds.
    package init(wall: Timestamp, elapsed: Double) {
        self.wall = wall
        self.elapsed = elapsed
    }

    /// Notes the time. Returns how many seconds the machine's clock was set forward since the last call, negative
    /// if it was set back, or `nil` if it was not set.
    package mutating func advance(wall: Timestamp, elapsed: Double) -> Double? {
        let difference = wall.seconds(since: self.wall) - (elapsed - self.elapsed)
        self.wall = wall
        self.elapsed = elapsed
        return difference.magnitude > Self.tolerance ? difference : nil
    }
}
