import Testing

@testable import LogReport

/// The map of a track: coordinates at its frame, beginning, end and direction.
struct TrackMapTests {
    private static func graticule(
        _ latitudes: ClosedRange<Double>, from west: Double, to east: Double
    ) -> Graticule {
        Graticule { x, y in
            let longitude = west + x * (east - west)
            let latitude = latitudes.upperBound - y * (latitudes.upperBound - latitudes.lowerBound)
            return (latitude, longitude > 180 ? longitude - 360 : longitude)
        }
    }

    @Test func figuresAreRoundAndWhereTheyBelong() {
        let graticule = Self.graticule(48.01...48.06, from: 16.1, to: 16.2)
        let latitudes = graticule.latitudes.map { NumberText.fixed($0.degrees, graticule.latitudeDigits) }
        #expect(latitudes == ["48.04", "48.02"])
        #expect(graticule.latitudes.map { ($0.share * 10).rounded() / 10 } == [0.4, 0.8])
        let longitudes = graticule.longitudes.map { NumberText.fixed($0.degrees, graticule.longitudeDigits) }
        #expect(longitudes == ["16.12", "16.14", "16.16", "16.18"])
        #expect(graticule.lines.allSatisfy { abs($0.x1 - $0.x2) < 1e-9 || abs($0.y1 - $0.y2) < 1e-9 })
    }

    @Test func longitudesGoOnOverTheAntimeridian() {
        let graticule = Self.graticule(-17 ... -16, from: 179, to: 181)
        let degrees = graticule.longitudes.map(\.degrees)
        #expect(degrees.contains(179.5) && degrees.contains(-179.5) && degrees.allSatisfy { abs($0) >= 179 })
    }

    @Test func aMapOfOnePlaceHasFigures() {
        let graticule = Self.graticule(10...10, from: 20, to: 20)
        #expect(graticule.latitudes.isEmpty && graticule.longitudes.isEmpty && graticule.latitudeDigits <= 9)
    }

    @Test(arguments: [(0.0, 0.0), (59.3, 18.05), (-89.9, 100), (12, 179.99)])
    func aPlaceOfAnOffsetIsTheOneThatHasIt(_ latitude: Double, _ longitude: Double) {
        let plane = SurfacePoint.Plane(at: SurfacePoint(latitude: latitude, longitude: longitude))
        for distance in [10.0, 900, 5000, 100_000, 1_000_000] {
            let offset = Offset(east: 0.6 * distance, north: -0.8 * distance)
            let found = plane.offset(to: plane.place(at: offset).onGround)
            #expect((found - offset).length < 1e-9 * distance * distance + 1e-6, "\(distance)")
        }
    }

    @Test func beginningAndEndDifferInShapeAndTheLineHasArrows() throws {
        let html = ReportPage([try ReportPageTests.log.report()]).html
        for text in ["dot start", "dot hole", "dot end", "class=\"arrows\" d=\"M", "first fix", "last fix"] {
            #expect(html.contains(text), "\(text)")
        }
    }

    /// One fix is not two ends of a way.
    @Test func theOnlyFixIsASquare() throws {
        var log = SampleLog()
        log.fix(0)
        let html = ReportPage([try log.report()]).html
        #expect(html.contains("the only fix") && html.contains("dot end") && !html.contains("dot start"))
    }

    /// A way of 100 km can be zoomed to its metres: the map has a unit for each.
    @Test func aLongWayIsDrawnToTheMetre() throws {
        let lines = (0..<100).map { step in
            let minute = step % 60 < 10 ? "0\(step % 60)" : "\(step % 60)"
            let time = "2026-11-21T0\(step / 60):\(minute):00Z"
            return #"{"timestamp":"\#(time)","latitude":\#(50 + Double(step) / 100),"longitude":8}"#
        }
        let html = ReportPage([try SampleLog.report(lines.joined(separator: "\n"))]).html
        let height = try #require(html.firstMatch(of: /<svg viewBox="0 0 \d+ (\d+)" role="img" aria-label="Map/)?.1)
        #expect(abs(Double(height)! - 110_000 * 1.1) < 1000)
    }
}
