/// The map of a section's track: north is up, and distances from the centre are true.
struct TrackMap {
    /// The length of the longer side in the map's own units.
    static let side = 10_000.0
    /// The maximum number of accuracy circles.
    static let circles = 100

    private let section: ReportSection
    private let outline: Outline
    private let plane: SurfacePoint.Plane
    private let points: [(offset: Offset, point: Outline.Point)]
    /// The middle of the map, in metres from the plane's origin.
    private let middle: Offset
    /// Metres.
    private let width: Double
    private let height: Double

    /// Creates the map, or `nil` without a fix.
    ///
    /// - Parameter maximumPoints: The maximum number of points of the line.
    init?(_ section: ReportSection, maximumPoints: Int) {
        self.section = section
        outline = section.part.outline.reduced(to: maximumPoints)
        let outline = outline.points
        guard let first = outline.first else { return nil }
        let sum = outline.reduce(SIMD3<Double>.zero) { $0 + $1.place.vector }
        // Points all around the globe have no middle.
        let isRound = (sum * sum).sum() < 1
        plane = SurfacePoint.Plane(at: isRound ? first.place : SurfacePoint(vector: sum).onGround)
        let plane = plane
        points = outline.map { (plane.offset(to: $0.place), $0) }
        var box = Box(points[0].offset)
        for point in points { box.include(point.offset) }
        // Room for the circles, unless they are much greater than the track.
        let room = max(box.width, box.height, 20) / 3
        for (offset, point) in points where point.accuracy > 0 {
            box.include(offset, radius: min(Double(point.accuracy), room))
        }
        middle = box.middle
        let least = max(8, max(box.width, box.height) / 2)
        width = max(box.width, least * 1.6) * 1.1
        height = max(box.height, least) * 1.1
    }

    /// Metres in a unit of the map.
    private var unit: Double { max(width, height) / Self.side }

    private func x(_ offset: Offset) -> Int { Int(((offset.east - middle.east + width / 2) / unit).rounded()) }
    private func y(_ offset: Offset) -> Int { Int(((middle.north - offset.north + height / 2) / unit).rounded()) }

    /// Returns the position of a place on the map.
    func position(of place: SurfacePoint) -> (x: Int, y: Int) {
        let offset = plane.offset(to: place)
        return (x(offset), y(offset))
    }

    /// The points of the line, with their times.
    var line: [(x: Int, y: Int, time: Int64?, isStart: Bool)] {
        points.map { (x($0.offset), y($0.offset), $0.point.time, $0.point.isStart) }
    }

    var html: String {
        let scale = AxisTicks.roundStep(notAbove: width / 4)
        let first = points.first!
        let last = points.last!
        let outliers = section.part.outliers.farthest.kept
        return """
            <figure class="track"><figcaption><b>Track</b> <span class="unit">\(caption)</span></figcaption>
            <div class="map" style="aspect-ratio:\(Int(width / unit))/\(Int(height / unit))">\
            <svg viewBox="0 0 \(Int(width / unit)) \(Int(height / unit))" role="img" aria-label="Map of the track">\
            <path class="grid" d="\(grid(scale))"/>\(accuracyCircles)<path class="way" d="\(way)"/>\
            <path class="part" d=""/>\(outliers.map(mark).joined())\
            <path class="dot start" d="M\(x(first.offset)) \(y(first.offset))h0"/>\
            <path class="dot end" d="M\(x(last.offset)) \(y(last.offset))h0"/><path class="dot here" d=""/></svg>\
            <div class="scale \(emptierSide(lower: true))" style="width:\(Markup.percent(scale / width))">\
            \(Self.distance(scale))</div>\
            <div class="north \(emptierSide(lower: false))" aria-label="North is up">N</div></div>
            <p class="rule"><span class="key start"></span>first fix <span class="key end"></span>last fix\
            \(outliers.isEmpty ? "" : " <span class=\"key outlier\">×</span>outlier") <span class="key circle"></span>\
            accuracy, 68 %. The line is within \(NumberText.length(3 * outline.tolerance)) of the fixes.</p>
            </figure>

            """
    }

    private var caption: String {
        let area = "\(NumberText.length(width)) × \(NumberText.length(height))"
        let center = plane.place(at: middle).coordinates
        return "\(area) about \(NumberText.fixed(center.latitude, 4))°, \(NumberText.fixed(center.longitude, 4))°"
    }

    /// Returns a round distance: `50 m`, `2 km`.
    private static func distance(_ metres: Double) -> String {
        metres < 1
            ? NumberText.fixed(metres, 1) + " m"
            : metres < 1000 ? NumberText.fixed(metres, 0) + " m" : NumberText.fixed(metres / 1000, 0) + " km"
    }

    private var way: String {
        var path = ""
        var last: (x: Int, y: Int)?
        for (x, y, _, isStart) in line {
            if let last, !isStart {
                path += "l\(x - last.x) \(y - last.y)"
            } else {
                path += "M\(x) \(y)h0"
            }
            last = (x, y)
        }
        return path
    }

    /// Lines at round distances from the middle.
    private func grid(_ step: Double) -> String {
        let (right, bottom) = (Int(width / unit), Int(height / unit))
        var path = ""
        for number in Int(-width / 2 / step)...Int(width / 2 / step) {
            path += "M\(Int((width / 2 + Double(number) * step) / unit)) 0v\(bottom)"
        }
        for number in Int(-height / 2 / step)...Int(height / 2 / step) {
            path += "M0 \(Int((height / 2 + Double(number) * step) / unit))h\(right)"
        }
        return path
    }

    /// Circles along the track, each away from the last one by a radius: more would hide each other.
    private var accuracyCircles: String {
        var shown: [(offset: Offset, radius: Double)] = []
        for (offset, point) in points where point.accuracy > 0 {
            let radius = min(Double(point.accuracy), 4 * max(width, height))
            if let last = shown.last, (offset - last.offset).length < max(radius, last.radius) { continue }
            shown.append((offset, radius))
        }
        let stride = max(1, (shown.count + Self.circles - 1) / Self.circles)
        let circles = shown.enumerated().filter { $0.offset % stride == 0 }.map { _, circle in
            "<circle cx=\"\(x(circle.offset))\" cy=\"\(y(circle.offset))\" r=\"\(Int(circle.radius / unit))\"/>"
        }.joined()
        return "<g class=\"accuracy area\">\(circles)</g><g class=\"accuracy edge\">\(circles)</g>"
    }

    /// The side, left or right, on which the lower or upper edge of the map is emptier.
    private func emptierSide(lower: Bool) -> String {
        var balance = 0
        for (offset, _) in points {
            let (east, north) = ((offset.east - middle.east) / width, (offset.north - middle.north) / height)
            if abs(east) > 0.15, lower ? north < -0.3 : north > 0.3 { balance += east > 0 ? 1 : -1 }
        }
        return balance > 0 || (balance == 0 && lower) ? "left" : "right"
    }

    private func mark(_ outlier: Outliers.Outlier) -> String {
        let (x, y) = position(of: SurfacePoint(latitude: outlier.latitude, longitude: outlier.longitude))
        guard (0...Int(width / unit)).contains(x), (0...Int(height / unit)).contains(y) else { return "" }
        return "<path class=\"outlier\" d=\"M\(x - 90) \(y - 90)l180 180m0 -180l-180 180\"/>"
    }
}

/// A rectangle around offsets.
private struct Box {
    private var low: Offset
    private var high: Offset

    init(_ offset: Offset) { (low, high) = (offset, offset) }

    var width: Double { high.east - low.east }
    var height: Double { high.north - low.north }
    var middle: Offset { (low + high) * 0.5 }

    mutating func include(_ offset: Offset, radius: Double = 0) {
        low.east = min(low.east, offset.east - radius)
        low.north = min(low.north, offset.north - radius)
        high.east = max(high.east, offset.east + radius)
        high.north = max(high.north, offset.north + radius)
    }
}
