import Glibc
import LocationModel
import TestSupport

@testable import Positioning

/// The rules of a subscription, written independently: on a flat earth, and without running means.
struct SubscriptionRule {
    struct Options {
        let distance: Double?
        let interval: Double?
        let updates: Int?
        let activity: ActivityType?
    }

    struct Point {
        let seconds: Double
        let north: Double
        let east: Double
        let accuracy: Double?
        let speed: Double?

        func distance(to other: Point) -> Double { hypot(north - other.north, east - other.east) }

        func distance(toMeanOf place: Place) -> Double {
            hypot(north - place.north / place.count, east - place.east / place.count)
        }
    }

    /// The fixes of a place: when the first of them came, their number, and the sums of their coordinates.
    struct Place {
        let since: Double
        private(set) var count = 1.0
        private(set) var north: Double
        private(set) var east: Double

        init(_ first: Point) {
            since = first.seconds
            north = first.north
            east = first.east
        }

        mutating func append(_ point: Point) {
            count += 1
            north += point.north
            east += point.east
        }
    }

    private let options: Options
    private var updatesLeft: Int
    private var lastDelivered: Point?
    private var isPaused = false
    private var pausedSince = 0.0
    /// The place where the device is, the place where it may have gone, and the number of fixes in a row that were
    /// elsewhere.
    private var here: Place?
    private var there: Place?
    private var strays = 0

    init(_ options: Options) {
        self.options = options
        updatesLeft = options.updates ?? .max
    }

    mutating func consider(_ point: Point) -> SubscriptionRules.Verdict {
        if let activity = options.activity, let dwell = activity.dwellSeconds {
            let isMoving = (point.speed ?? 0) > activity.maximumStationarySpeed
            let circle = max(15, 2 * (point.accuracy ?? 0))
            if isPaused {
                let limit = point.speed == nil || isMoving ? 2 : 3
                let beyond = circle + max(50, 3 * (point.accuracy ?? 0))
                place(point, radius: beyond, limit: limit, isMoving: false)
                guard here.map({ $0.since > pausedSince }) ?? true else { return .suppress }
                isPaused = false
                return deliver(point) ? .resumeLast : .resume
            }
            let wasHere = place(point, radius: circle, limit: 5, isMoving: isMoving)
            if wasHere, let here, point.seconds - here.since >= dwell {
                isPaused = true
                pausedSince = point.seconds
                return .pause
            }
        }
        guard isWanted(point) else { return .suppress }
        return deliver(point) ? .deliverLast : .deliver
    }

    /// Adds a fix to the place that it belongs to. Returns whether that is the place where the device has been.
    @discardableResult
    private mutating func place(_ point: Point, radius: Double, limit: Int, isMoving: Bool) -> Bool {
        if !isMoving, let here, point.distance(toMeanOf: here) <= radius {
            self.here?.append(point)
            there = nil
            strays = 0
            return true
        }
        if isMoving {
            there = nil
        } else if let place = there, point.distance(toMeanOf: place) <= radius {
            there?.append(point)
        } else {
            there = Place(point)
        }
        strays += 1
        if here == nil || strays >= limit {
            here = there
            there = nil
            strays = 0
        }
        return false
    }

    private func isWanted(_ point: Point) -> Bool {
        guard let last = lastDelivered else { return true }
        if let interval = options.interval, point.seconds - last.seconds < interval - 0.02 { return false }
        guard let distance = options.distance, distance > 0, point.distance(to: last) < distance else { return true }
        guard let now = point.accuracy, let then = last.accuracy else { return false }
        return now <= then / 2
    }

    /// Counts a delivery. Returns whether it was the last one.
    private mutating func deliver(_ point: Point) -> Bool {
        lastDelivered = point
        updatesLeft -= 1
        return updatesLeft == 0
    }

    /// Returns some minutes of movement, with a fix every second.
    static func track(using random: inout SeededRandom) -> [Point] {
        var points: [Point] = []
        var (north, east) = (0.0, 0.0)
        for _ in 0..<6 {
            let speed = random.unit() < 0.5 ? 0 : random.number(in: 0.3...20)
            let direction = random.number(in: 0...(2 * .pi))
            let tellsSpeed = random.unit() < 0.7
            let tellsAccuracy = random.unit() < 0.8
            let accuracy = random.number(in: 3...40)
            for _ in 0..<Int(random.number(in: 20...400)) {
                north += speed * cos(direction)
                east += speed * sin(direction)
                let (a, b) = random.normals()
                let scatter = random.unit() < 0.03 ? 60.0 : 2
                points.append(
                    Point(
                        seconds: Double(points.count), north: north + scatter * a, east: east + scatter * b,
                        accuracy: tellsAccuracy ? accuracy * random.number(in: 0.5...1.5) : nil,
                        speed: tellsSpeed ? (speed + 0.1 * random.normals().0).magnitude : nil))
            }
        }
        return points
    }
}
