/// Finds periods when the device stood still, and the scatter of the positions.
///
/// The device stands still while every position is within ``radius`` of the mean of the positions since it stopped, and
/// no speed of ``leastSpeed`` or more is reported, for at least ``leastDuration``. A gap of more than ``longestGap``
/// ends a stand-still.
struct StandStills: Sendable {
    /// A time without movement.
    struct StandStill: Sendable, Equatable {
        var start: Int64
        var end: Int64
        var fixes: UInt64
        /// The mean of the positions, in degrees.
        var latitude: Double
        var longitude: Double
        /// The radii around the mean that contain 50 % and 95 % of the positions, in metres.
        var cep50: Double
        var cep95: Double
        /// The width of the cells for counting the positions, in metres.
        var cellWidth: Double
        var milliseconds: Int64 { end - start }
    }

    /// The radius in metres.
    static let radius = 50.0
    /// The least speed of a moving device, in metres per second.
    static let leastSpeed = 2.0
    /// The least duration in milliseconds.
    static let leastDuration: Int64 = 120_000
    /// The longest gap within a stand-still, in milliseconds.
    static let longestGap: Int64 = 60_000
    /// The maximum number of listed stand-stills, which are the longest ones.
    static let listed = 20

    private(set) var longest = Longest<StandStill>(listed)
    private var plane: SurfacePoint.Plane?
    private var scatter = Scatter()
    private var start: Int64 = 0
    private var last: Int64 = 0

    mutating func add(_ time: Int64, _ place: SurfacePoint, speed: Double?) {
        let isMoving = (speed ?? 0) >= Self.leastSpeed
        if let plane, !isMoving, time - last <= Self.longestGap {
            let offset = plane.offset(to: place)
            let point = SIMD2(offset.east, offset.north)
            let fromMean = point - scatter.mean
            if (fromMean * fromMean).sum() <= Self.radius * Self.radius {
                scatter.add(point)
                last = time
                return
            }
        }
        finish()
        if !isMoving { begin(time, place) }
    }

    /// Ends the current stand-still, if there is one.
    mutating func finish() {
        defer {
            plane = nil
            scatter.removeAll()
        }
        guard let plane, last - start >= Self.leastDuration else { return }
        let radii = scatter.radii([0.5, 0.95])
        let mean = plane.place(at: Offset(east: scatter.mean.x, north: scatter.mean.y)).coordinates
        longest.add(
            StandStill(
                start: start, end: last, fixes: scatter.count, latitude: mean.latitude, longitude: mean.longitude,
                cep50: radii[0], cep95: radii[1], cellWidth: scatter.cellWidth), length: Double(last - start))
    }

    private mutating func begin(_ time: Int64, _ place: SurfacePoint) {
        plane = SurfacePoint.Plane(at: place)
        scatter.add(.zero)
        start = time
        last = time
    }
}
