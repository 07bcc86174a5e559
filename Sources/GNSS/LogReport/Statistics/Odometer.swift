/// The distance travelled.
///
/// The noise of a receiver that stands still adds up to kilometres in a day. So a position counts only when it is at
/// least ``step`` away from the last one that counted.
struct Odometer: Sendable {
    /// Metres.
    static let step = 10.0

    /// Metres.
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
