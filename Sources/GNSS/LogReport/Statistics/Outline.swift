internal import Glibc

/// A track in bounded memory: the fewest points that preserve the line.
///
/// A point is left out if the line between its neighbours passes within ``tolerance`` of it (cone intersection: J.
/// Sklansky, V. Gonzalez, "Fast polygonal approximation of digitized curves", Pattern Recognition 12, 1980). When there
/// are too many points, the tolerance is doubled and the points are thinned again. Each thinning adds an error of at
/// most √2 times its tolerance, so that the line is nowhere more than three tolerances off.
struct Outline: Sendable {
    struct Point: Sendable {
        var place: SurfacePoint
        var time: Int64?
        /// The accuracy in metres, or NaN if it is not known.
        var accuracy: Float
        /// A Boolean value indicating whether the line from the previous point is interrupted here.
        var isStart: Bool
    }

    /// The maximum number of points.
    static let maximumPoints = 4096
    /// The maximum number of interruptions. The line continues over further ones.
    static let maximumStarts = 200
    /// The maximum length of a straight line, in metres. A longer line would not be straight on the map.
    private static let maximumLine = 50_000.0

    /// The greatest distance of a point that is left out from the line, in metres.
    private(set) var tolerance: Double
    private var kept: [Point] = []
    private var starts = 0
    private var last: Point?
    private var cone: Cone?

    /// Creates an empty outline.
    init(tolerance: Double = 0.1) { self.tolerance = tolerance }

    /// The points of the outline, always including the last point of the track.
    var points: [Point] { kept + (last.map { [$0] } ?? []) }

    mutating func add(_ point: Point) {
        extend(to: point)
        if kept.count > Self.maximumPoints { self = reduced(to: Self.maximumPoints / 2) }
    }

    /// Returns the same outline with at most `count` points, or a few more if there are as many interruptions.
    func reduced(to count: Int) -> Outline {
        var reduced = self
        while reduced.points.count > max(count, 2 * starts) {
            let points = reduced.points
            reduced = Outline(tolerance: 2 * reduced.tolerance)
            for point in points { reduced.extend(to: point) }
        }
        return reduced
    }

    private mutating func extend(to point: Point) {
        guard let cone, !(point.isStart && starts < Self.maximumStarts) else { return begin(at: point) }
        var point = point
        point.isStart = false
        let offset = cone.plane.offset(to: point.place)
        if self.cone!.admits(offset, tolerance: tolerance, longest: max(Self.maximumLine, 100 * tolerance)) {
            last = point
        } else {
            let corner = last ?? point
            keep(corner)
            // Seen from the corner, all directions are open.
            if last != nil {
                last = nil
                extend(to: point)
            }
        }
    }

    private mutating func begin(at point: Point) {
        if let last { kept.append(last) }
        last = nil
        starts += 1
        var point = point
        point.isStart = true
        keep(point)
    }

    private mutating func keep(_ point: Point) {
        kept.append(point)
        cone = Cone(plane: SurfacePoint.Plane(at: point.place))
    }
}

/// The directions of straight lines from a point that pass close enough to all points since then.
private struct Cone {
    let plane: SurfacePoint.Plane
    /// The direction to the first point outside the tolerance, and the limits on both sides of it, in radians.
    private var direction: Double?
    private var low = 0.0
    private var high = 0.0
    private var farthest = 0.0

    init(plane: SurfacePoint.Plane) { self.plane = plane }

    /// Returns whether the line may continue to the point at `offset`. If so, narrows the cone.
    mutating func admits(_ offset: Offset, tolerance: Double, longest: Double) -> Bool {
        let distance = offset.length
        // A line that turns back would lose its end.
        guard distance <= longest, distance + tolerance >= farthest else { return false }
        guard distance > tolerance else { return true }
        let angle = atan2(offset.east, offset.north)
        guard let direction else {
            let width = asin(tolerance / distance)
            (direction, low, high, farthest) = (angle, -width, width, distance)
            return true
        }
        let turn = remainder(angle - direction, 2 * .pi)
        guard turn >= low, turn <= high else { return false }
        let width = asin(tolerance / distance)
        low = max(low, turn - width)
        high = min(high, turn + width)
        farthest = max(farthest, distance)
        return true
    }
}
