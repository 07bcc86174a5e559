import Testing

@testable import GPX

struct GPXPointReaderTests {
    private func points(_ text: String, piece: Int) throws -> [GPXPoint] {
        var reader = GPXPointReader()
        var points: [GPXPoint] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let bytes = Array(rest.prefix(piece))
            var offset = 0
            while let point = try reader.next(in: bytes.span, at: &offset) { points.append(point) }
            #expect(offset == bytes.count)
            rest = rest.dropFirst(piece)
        }
        try reader.finish()
        return points
    }

    @Test(arguments: [1, 2, 7, 100, 10_000])
    func pointsComeInTheOrderOfTheFile(piece: Int) throws {
        let points = try points(
            """
            <gpx version="1.0"><wpt lat="1" lon="2"/><rte><rtept lat="3" lon="4"></rtept></rte><trk><trkseg>
            <trkpt lat="5" lon="6"><ele>7</ele><time> 2026-11-21T00:00:00Z
            </time><speed>2.5</speed><sat>9</sat></trkpt>
            <trkpt lat="-5" lon="-6"><speed>fast</speed><sat/><time/></trkpt>
            </trkseg></trk></gpx>
            """, piece: piece)
        var first = GPXPoint(kind: .track, latitude: 5, longitude: 6)
        first.elevation = 7
        first.time = "2026-11-21T00:00:00Z"
        first.speed = 2.5
        first.satellites = 9
        #expect(
            points == [
                GPXPoint(kind: .waypoint, latitude: 1, longitude: 2), GPXPoint(kind: .route, latitude: 3, longitude: 4),
                first, GPXPoint(kind: .track, latitude: -5, longitude: -6),
            ])
    }

    @Test func textIsBounded() throws {
        let long = String(repeating: "9", count: 100_000)
        let points = try points("<gpx><trkpt lat='1' lon='2'><time>\(long)</time></trkpt></gpx>", piece: 4096)
        #expect(points.map { $0.time?.count } == [GPXPointReader.maximumTextLength + 1])
    }
}
