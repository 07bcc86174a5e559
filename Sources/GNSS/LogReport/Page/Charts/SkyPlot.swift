internal import NMEA

/// The sky of a section: each satellite's way from the horizon (the circle) to the zenith (its centre), with north up.
struct SkyPlot {
    private static let radius = 100.0

    private let paths: [SkyPaths.Path]
    /// A Boolean value indicating whether the log shows which satellites were used.
    private let isUseKnown: Bool
    private let maximumPoints: Int

    /// Creates the plot, or `nil` if the log has no satellites.
    init?(_ section: ReportSection, maximumPoints: Int) {
        paths = section.part.sky.satellites
        isUseKnown = section.isUseKnown || section.part.fixes == 0
        self.maximumPoints = maximumPoints
        if paths.isEmpty { return nil }
    }

    var html: String {
        """
        <figure class="sky"><figcaption><b>Sky</b> <span class="unit">each satellite’s way, in long logs its last \
        pass</span></figcaption>
        <div class="columns"><svg viewBox="-118 -118 236 236" role="img" aria-label="Sky plot">\(background)\
        \(paths.map(way).joined())\(labels)</svg>
        <div class="scroll"><table><thead><tr><th scope="col">System</th><th scope="col">Seen</th>\
        <th scope="col">Used</th><th scope="col">Signal</th><th scope="col">Best</th></tr></thead><tbody>
        \(rows)</tbody></table>
        <p class="rule">The zenith is in the middle, the horizon outside; circles at 30° and 60°. The mark is where a \
        satellite was last\(isUseKnown ? ", filled if it was used" : ""). Signal: mean and best in \
        dB-Hz.</p></div></div></figure>

        """
    }

    private var background: String {
        var html = ""
        for elevation in [0, 30, 60] {
            html += "<circle class=\"grid\" r=\"\(Self.tenths(Double(90 - elevation) / 90 * Self.radius))\"/>"
        }
        html += "<path class=\"grid\" d=\"M-100 0h200M0 -100v200\"/>"
        for (name, x, y) in [("N", 0, -107), ("E", 109, 0), ("S", 0, 109), ("W", -109, 0)] {
            html += "<text class=\"compass\" x=\"\(x)\" y=\"\(y)\">\(name)</text>"
        }
        for elevation in [30, 60] {
            html += "<text class=\"degrees\" x=\"2\" y=\"\(-(90 - elevation) * 100 / 90 + 6)\">\(elevation)°</text>"
        }
        return html
    }

    private func way(_ path: SkyPaths.Path) -> String {
        guard let latest = path.latest else { return "" }
        var line = ""
        let stride = max(1, (path.points.count + maximumPoints - 1) / maximumPoints)
        let points = path.points.enumerated().filter { $0.element.isStart || $0.offset % stride == 0 }
        for (_, point) in points.suffix(2 * maximumPoints) {
            line += (point.isStart || line.isEmpty ? "M" : "L") + Self.text(point)
        }
        line += "L" + Self.text(latest)
        let style = ConstellationStyle(path.constellation)
        let signal = path.signal.mean.map { ", \(NumberText.fixed($0, 0)) dB-Hz" } ?? ""
        let use = isUseKnown ? ", used \(NumberText.share(path.used, of: path.seen))" : ""
        return """
            <g class="\(style.name)\(path.used > 0 ? " used" : "")"><title>\(style.title) \(path.number)\(signal)\(use)\
            </title><path class="orbit" d="\(line)"/>\
            \(style.mark(at: latest.inPlot * Self.radius))</g>
            """
    }

    /// The names beside the marks, where they do not cover each other. The titles of the marks contain all names.
    private var labels: String {
        var taken = [(0, 107), (109, 0), (0, -109), (-109, 0)].map { Label(middle: Offset(east: $0.0, north: $0.1)) }
        taken += paths.compactMap { $0.latest.map { Label(middle: $0.inPlot * Self.radius) } }
        return paths.compactMap { path in
            guard let latest = path.latest else { return nil }
            let style = ConstellationStyle(path.constellation)
            let name = "\(style.letter)\(path.number)"
            let around = Label.around(latest.inPlot * Self.radius, characters: name.utf8.count)
            guard let label = around.first(where: { label in !taken.contains(where: label.covers) }) else { return nil }
            taken.append(label)
            let (x, y) = (Self.tenths(label.middle.east), Self.tenths(-label.middle.north))
            return "<text class=\"name \(style.name)\" x=\"\(x)\" y=\"\(y)\">\(name)</text>"
        }.joined()
    }

    private var rows: String {
        Constellation.allCases.compactMap { constellation in
            let paths = paths.filter { $0.constellation == constellation }
            guard !paths.isEmpty else { return nil }
            let style = ConstellationStyle(constellation)
            var signal = Extent()
            for path in paths { signal.merge(path.signal) }
            let mean = signal.mean.map { NumberText.fixed($0, 1) } ?? "–"
            let used = isUseKnown ? "\(paths.count { $0.used > 0 })" : "–"
            let best = signal.count > 0 ? NumberText.fixed(Double(signal.high), 0) : "–"
            let mark =
                "<svg class=\"mark\" viewBox=\"-5 -5 10 10\"><g class=\"\(style.name) used\">"
                + style.mark(at: Offset(east: 0, north: 0)) + "</g></svg>"
            return "<tr><td>\(mark)\(style.title) <span class=\"unit\">\(style.letter)</span></td>"
                + "<td>\(paths.count)</td><td>\(used)</td><td>\(mean)</td><td>\(best)</td></tr>\n"
        }.joined()
    }

    private static func text(_ point: SkyPaths.Point) -> String {
        let place = point.inPlot * radius
        return "\(tenths(place.east)) \(tenths(-place.north))"
    }

    /// Returns a coordinate to a tenth.
    static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}

/// The area of a name or a mark.
private struct Label {
    var middle: Offset
    var halfWidth = 4.0
    let halfHeight = 3.8

    func covers(_ other: Label) -> Bool {
        abs(middle.east - other.middle.east) < halfWidth + other.halfWidth
            && abs(middle.north - other.middle.north) < halfHeight + other.halfHeight
    }

    /// Returns the places for a name beside a mark within the plot, the best one first.
    static func around(_ mark: Offset, characters: Int) -> [Label] {
        let halfWidth = 2.3 * Double(characters)
        let beside = halfWidth + 4.2
        let offsets = [
            (beside, 0.0), (-beside, 0), (0, 8), (0, -8), (beside, 6), (-beside, 6), (beside, -6), (-beside, -6),
        ]
        return offsets.map { Label(middle: mark + Offset(east: $0.0, north: $0.1), halfWidth: halfWidth) }
            .filter { abs($0.middle.east) + halfWidth < 117 && abs($0.middle.north) < 113 }
    }
}
