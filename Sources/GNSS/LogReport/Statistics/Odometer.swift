/// The distance travelled.
///
/// The noise of a stationary receiver adds up to kilometres per day. So a position counts only if it is at least
/// ``step`` away from the last position that counted.
struct Odometer: Sendable {
    /// The least counted movement, in metres.
    static let step = 10.0

    /// The distance travelled, in metres.
    private(set) var distance = 0.0
    private var last: SurfacePoint?

    /// Records that the way to the next position was not travelled.
    mutating func interrupt() { last = nil }

    mutating func add(_ place: SurfacePoint) {
        guard let last else {
            self.last = place
            return
        }
        let step = last.distance(to: place)
        guard step >= Self.step else { return }
        distance += step
        self.last = place
    }
}
