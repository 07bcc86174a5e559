/// Finds positions that the device cannot have reached.
///
/// The device can move from the last position that counted as far as twice the greater of both reported speeds plus 10
/// m/s permits in the time since then, plus three times the sum of both accuracies. Without a reported speed, 340 m/s
/// is possible; without a reported accuracy, 10 m is assumed. Two positions with the same second may be a second apart.
/// If four outliers in a row can have been reached from each other, the position has really changed.
struct Outliers: Sendable {
    struct Outlier: Sendable, Equatable {
        var time: Int64
        /// The distance from the last position that counted, in metres.
        var distance: Double
        var latitude: Double
        var longitude: Double
    }

    enum Judgement {
        case plausible
        /// The position has really changed, after outliers.
        case moved
        case outlier
    }

    /// The maximum number of listed outliers, which are the farthest ones.
    static let listed = 20
    /// The number of outliers in a row after which the position has really changed.
    static let limit = 3
    static let assumedAccuracy = 10.0
    static let fastest = 340.0
    static let speedAllowance = 10.0

    private struct Sight: Sendable {
        var time: Int64
        var place: SurfacePoint
        var speed: Double?
        var accuracy: Double
    }

    private(set) var farthest = Longest<Outlier>(listed)
    private var last: Sight?
    private var doubtful: Sight?
    private var doubts = 0

    /// Handles an interruption, after which the device may be anywhere.
    mutating func interrupt() { (last, doubts) = (nil, 0) }

    mutating func judge(_ fix: LogFix, at time: Int64, _ place: SurfacePoint) -> Judgement {
        let sight = Sight(
            time: time, place: place, speed: fix.speed, accuracy: fix.horizontalAccuracy ?? Self.assumedAccuracy)
        guard let last, !Self.canReach(sight, from: last) else {
            self.last = sight
            doubts = 0
            return .plausible
        }
        doubts = doubtful.map { doubts > 0 && Self.canReach(sight, from: $0) } == true ? doubts + 1 : 1
        guard doubts <= Self.limit else {
            self.last = sight
            doubts = 0
            return .moved
        }
        doubtful = sight
        let distance = last.place.distance(to: place)
        farthest.add(
            Outlier(time: time, distance: distance, latitude: fix.latitude, longitude: fix.longitude),
            length: distance)
        return .outlier
    }

    private static func canReach(_ sight: Sight, from other: Sight) -> Bool {
        let seconds = sight.time == other.time ? 1 : Double(abs(sight.time - other.time)) / 1000
        let reported = [sight.speed, other.speed].compactMap { $0 }.max()
        let speed = reported.map { 2 * $0 + speedAllowance } ?? fastest
        return sight.place.distance(to: other.place) <= speed * seconds + 3 * (sight.accuracy + other.accuracy)
    }
}
