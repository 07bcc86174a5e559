import Testing

@testable import GPX

struct GPXPointReaderTests {
    private func points(_ text: String, piece: Int) throws -> [GPXPoint] { try read(text, piece: piece).points }

    private func read(_ text: String, piece: Int = 10_000) throws -> (points: [GPXPoint], skipped: GPXSkipped) {
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
        return (points, reader.skipped(.track))
    }

    private func track(_ points: String) -> String { "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>" }

    /// ele-empty.gpx, ele-nan.gpx
    @Test(arguments: [
        "<ele></ele>", "<ele/>", "<ele> </ele>", "<ele>NaN</ele>", "<ele>null</ele>", "<ele>1,234.5</ele>",
        "<ele>1e6</ele>", "<sat>many</sat>", "<speed>fast</speed>", "<time></time>", "<time/>",
    ])
    func aValueThatCannotBeReadIsSkipped(_ element: String) throws {
        let (points, skipped) = try read(
            track("<trkpt lat='1' lon='2'>\(element)</trkpt><trkpt lat='1' lon='2'><ele>5</ele></trkpt>"))
        #expect(points.map(\.elevation) == [nil, 5])
        #expect(points[0].time == nil && points[0].satellites == nil && points[0].speed == nil)
        #expect(skipped.values == 1 && skipped.points == 0 && skipped.first?.line == 1)
    }

    /// pause-markers-lat100.gpx: My Tracks and OpenTracks mark a pause with a latitude of 100.
    @Test(arguments: [
        "lat='100' lon='0'", "lat='1' lon='188'", "lat='x' lon='1'", "lat='' lon='1'", "lon='1'", "lat='1'",
        "lat='nan' lon='1'",
    ])
    func aPointThatCannotBeReadIsSkipped(_ attributes: String) throws {
        let (points, skipped) = try read(
            track(
                """
                <trkpt lat='1' lon='2'/><trkpt \(attributes)><ele>7</ele></trkpt><trkpt \(attributes)/>
                <trkpt lat='3' lon='4'><ele>5</ele></trkpt>
                """))
        #expect(points.map(\.latitude) == [1, 3] && points.map(\.elevation) == [nil, 5])
        #expect(skipped.points == 2 && skipped.values == 0)
    }

    /// extension-named-time-and-ele.gpx
    @Test func extensionsAreNotThePoint() throws {
        let (points, skipped) = try read(
            """
            <gpx xmlns:x="urn:x"><trk><trkseg><trkpt lat="1" lon="2"><ele>500</ele><x:ele>6</x:ele>
            <time>2026-03-23T10:00:00Z</time><extensions><x:time>99</x:time><x:ele>12 m</x:ele><x:a><x:b>1</x:b>
            <x:speed>2.5</x:speed><x:speed>9</x:speed></x:a><time>5</time><x:sat/></extensions></trkpt>
            <trkpt lat="1" lon="2"><speed>3</speed><extensions><x:speed>4</x:speed></extensions><sat>7</sat></trkpt>
            </trkseg></trk></gpx>
            """)
        #expect(points.map(\.elevation) == [500, nil] && points[0].time == "2026-03-23T10:00:00Z")
        #expect(points.map(\.speed) == [2.5, 3] && points.map(\.satellites) == [nil, 7])
        #expect(skipped == GPXSkipped())
        #expect(try read("<g:gpx><g:trkpt lat='1' lon='2'><g:ele>3</g:ele></g:trkpt></g:gpx>").points[0].elevation == 3)
    }

    @Test(arguments: [1, 3, 10_000])
    func characterDataIsText(piece: Int) throws {
        let text = track(
            """
            <trkpt lat='1' lon='2'><ele><![CDATA[12.5]]></ele><time> <![CDATA[2026-03-23T10:00:00]]>Z</time>\
            <name><![CDATA[</trkpt> ]] > <trkpt lat="9" lon="9"/>]]></name><sat>5</sat></trkpt>
            """)
        let points = try points(text, piece: piece)
        #expect(points.count == 1 && points[0].elevation == 12.5 && points[0].time == "2026-03-23T10:00:00Z")
        #expect(points[0].satellites == 5)
    }

    /// two-segments-apart.gpx
    @Test func segmentsBegin() throws {
        let points = try read(
            """
            <gpx><trk><trkseg><trkpt lat='1' lon='1'/><trkpt lat='2' lon='1'/></trkseg><trkseg/><trkseg>
            <trkpt lat='100' lon='1'/><trkpt lat='3' lon='1'/></trkseg></trk><trk><trkpt lat='4' lon='1'/>
            <trkpt lat='5' lon='1'/></trk></gpx>
            """
        ).points
        #expect(points.map(\.isStart) == [true, false, true, true, false])
    }

    @Test func aLongTagIsCut() throws {
        let long = String(repeating: "x", count: 10_000)
        let (points, _) = try read(
            track("<\(long) a='\(long)'/><trkpt lat='1' lon='2' note='\(long)'/><trkpt lat='3' lon='4'/>"))
        #expect(points.map(\.latitude) == [1, 3])
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
        first.isStart = true
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
