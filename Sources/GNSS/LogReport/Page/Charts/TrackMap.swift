/// The map of a section's track. North is up, and distances from the centre are true.
struct TrackMap {
    /// The length of the longer side in the map's own units: one unit per metre within these bounds, so that a part of
    /// a long way can be seen separately.
    private static let sides = 10_000.0...1_000_000.0
    /// The maximum number of accuracy circles.
    static let circles = 100
    private static let maximumArrows = 10.0

    private let section: ReportSection
    private let outline: Outline
    let plane: SurfacePoint.Plane
    private let points: [(offset: Offset, point: Outline.Point)]
    /// The centre of the map, in metres from the plane's origin.
    let middle: Offset
    /// The width in metres.
    let width: Double
    /// The height in metres.
    let height: Double
    /// A Boolean value indicating whether the device stood still. The map then shows the spread of the fixes rather
    /// than a way.
    private let isSpread: Bool
    /// The length of the longer side in the map's own units.
    private let side: Double

    /// Creates the map, or returns `nil` without a fix.
    ///
    /// - Parameter maximumPoints: The maximum number of points of the line.
    init?(_ section: ReportSection, maximumPoints: Int) {
        self.section = section
        outline = section.part.outline.reduced(to: maximumPoints)
        let outline = outline.points
        guard let first = outline.first else { return nil }
        let sum = outline.reduce(SIMD3<Double>.zero) { $0 + $1.place.vector }
        // Points all around the globe have no centre.
        let isRound = (sum * sum).sum() < 1
        plane = SurfacePoint.Plane(at: isRound ? first.place : SurfacePoint(vector: sum).onGround)
        let plane = plane
        points = outline.map { (plane.offset(to: $0.place), $0) }
        var box = Box(points[0].offset)
        for point in points { box.include(point.offset) }
        isSpread = section.part.odometer.distance == 0 && !section.standStills.isEmpty
        // Room for the circles, unless they are much larger than the track.
        let room = max(box.width, box.height, 20) / 3
        for (offset, point) in points where point.accuracy > 0 && !isSpread {
            box.include(offset, radius: min(Double(point.accuracy), room))
        }
        middle = box.middle
        let least = max(8, max(box.width, box.height) / 2)
        width = max(box.width, least * 1.6) * 1.1
        height = max(box.height, least) * 1.1
        side = min(max(width, height, Self.sides.lowerBound), Self.sides.upperBound)
    }

    /// The metres in a unit of the map.
    var unit: Double { max(width, height) / side }

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
        let (right, bottom) = (Int(width / unit), Int(height / unit))
        let graticule = graticule
        return """
            <figure class="track"><figcaption><b>Track</b> <span class="unit">\(caption)</span>\
            <output class="place"></output></figcaption>
            <div class="frame" style="aspect-ratio:\(right)/\(bottom)">\(Self.figures(graticule))<div class="map">\
            <svg viewBox="0 0 \(right) \(bottom)" role="img" aria-label="Map of the track">\
            <path class="grid" d="\(lines(graticule))"/>\(isSpread ? rings : accuracyCircles)<path \
            class="way\(isSpread ? " spread" : "")" d="\(way)"/>\
            <path class="part" d=""/><path class="arrows" d="\(arrows)"/>\(outliers.map(mark).joined())\
            \(ends)<path class="dot here" d=""/></svg>\
            <div class="scale \(emptierSide(lower: true))" style="width:\(Markup.percent(scale / width))">\
            \(Self.distance(scale))</div>\
            <div class="north \(emptierSide(lower: false))" aria-label="North is up">N</div></div></div>
            <p class="rule">\(legend)</p>
            </figure>

            """
    }

    private var outliers: [Outliers.Outlier] { section.part.outliers.farthest.kept }

    // MARK: Beginning, end and direction

    /// A ring where the track begins and a square where it ends. The square is visible within a ring at the same place.
    private var ends: String {
        let (first, last) = (line.first!, line.last!)
        // Printers of PDF leave out a square without length.
        let end = "<path class=\"dot end\" d=\"M\(last.x) \(last.y)h1\"/>"
        guard section.part.fixes > 1 else { return end }
        let begin = "M\(first.x) \(first.y)h0"
        return "<path class=\"dot start\" d=\"\(begin)\"/><path class=\"dot hole\" d=\"\(begin)\"/>" + end
    }

    private var legend: String {
        var parts: [String] = []
        if section.part.fixes > 1 {
            parts = ["<span class=\"key start\"></span>first fix", "<span class=\"key end\"></span>last fix"]
        } else {
            parts = ["<span class=\"key end\"></span>the only fix"]
        }
        if !outliers.isEmpty { parts.append("<span class=\"key outlier\">×</span>outlier") }
        if isSpread {
            parts.append("<span class=\"key ring\"></span>CEP50 and CEP95")
            let outline = "Dots are fixes, as many as show the outline to \(NumberText.length(3 * outline.tolerance))."
            return parts.joined(separator: " ") + ". " + outline
        }
        parts.append("<span class=\"key circle\"></span>accuracy, 68 %")
        let precision = "The line is within \(NumberText.length(3 * outline.tolerance)) of the fixes."
        return parts.joined(separator: " ") + "." + (section.part.fixes > 1 ? " " + precision : "")
    }

    /// The radii around the mean of the longest stand-still that contain 50 % and 95 % of its fixes.
    private var rings: String {
        let still = section.standStills.max { $0.milliseconds < $1.milliseconds }!
        let (x, y) = position(of: SurfacePoint(latitude: still.latitude, longitude: still.longitude))
        let circles = [still.cep50, still.cep95].map { "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(Int($0 / unit))\"/>" }
        return "<g class=\"rings\">\(circles.joined())</g>"
    }

    /// Arrow heads at equal distances along the line.
    private var arrows: String {
        let line = line
        let segments = zip(line, line.dropFirst()).filter { !$0.1.isStart }.map { a, b in
            (x: Double(a.x), y: Double(a.y), east: Double(b.x - a.x), south: Double(b.y - a.y))
        }
        let lengths = segments.map { ($0.east * $0.east + $0.south * $0.south).squareRoot() }
        let total = lengths.reduce(0, +)
        let size = 0.014 * side
        guard total > 4 * size, !isSpread else { return "" }
        let distance = total / max(1, min(Self.maximumArrows, (total / (0.15 * side)).rounded(.down)))
        var (path, next, travelled) = ("", distance / 2, 0.0)
        for (segment, length) in zip(segments, lengths) where length > 0 {
            while next <= travelled + length {
                let share = (next - travelled) / length
                let (east, south) = (segment.east / length * size, segment.south / length * size)
                let (x, y) = (segment.x + share * segment.east, segment.y + share * segment.south)
                let (backX, backY) = (x - east, y - south)
                path += "M\(Int(backX - 0.6 * south)) \(Int(backY + 0.6 * east))L\(Int(x)) \(Int(y))"
                path += "L\(Int(backX + 0.6 * south)) \(Int(backY - 0.6 * east))"
                next += distance
            }
            travelled += length
        }
        return path
    }

    // MARK: Coordinates

    private var graticule: Graticule {
        Graticule { x, y in
            let offset = Offset(
                east: middle.east + (x - 0.5) * width, north: middle.north + (0.5 - y) * height)
            return plane.place(at: offset).coordinates
        }
    }

    private func lines(_ graticule: Graticule) -> String {
        let (right, bottom) = (width / unit, height / unit)
        return graticule.lines.map { line in
            "M\(Int(line.x1 * right)) \(Int(line.y1 * bottom))L\(Int(line.x2 * right)) \(Int(line.y2 * bottom))"
        }.joined()
    }

    /// The coordinates at the left and lower edges. Every second figure is hidden on a narrow screen.
    private static func figures(_ graticule: Graticule) -> String {
        func spans(_ figures: [Graticule.Figure], _ kind: String, _ side: String, _ digits: Int) -> String {
            figures.enumerated().map { index, figure in
                let kind = index % 2 == 1 ? kind + " second" : kind
                return "<span class=\"\(kind)\" style=\"\(side):\(Markup.percent(figure.share))\">"
                    + "\(NumberText.fixed(figure.degrees, digits))°</span>"
            }.joined()
        }
        let latitudes = spans(graticule.latitudes, "latitude", "top", graticule.latitudeDigits)
        let longitudes = spans(graticule.longitudes, "longitude", "left", graticule.longitudeDigits)
        return "<div class=\"figures\">\(latitudes)\(longitudes)</div>"
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
            if let last, !isStart, !isSpread {
                path += "l\(x - last.x) \(y - last.y)"
            } else {
                path += "M\(x) \(y)h0"
            }
            last = (x, y)
        }
        return path
    }

    /// Circles along the track, at least one radius apart from the previous one. More circles would hide each other.
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

    /// The side, left or right, where the lower or upper edge of the map is emptier.
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
        let arm = Int(0.009 * side)
        let cross = "l\(2 * arm) \(2 * arm)m0 \(-2 * arm)l\(-2 * arm) \(2 * arm)"
        return "<path class=\"outlier\" d=\"M\(x - arm) \(y - arm)\(cross)\"/>"
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
