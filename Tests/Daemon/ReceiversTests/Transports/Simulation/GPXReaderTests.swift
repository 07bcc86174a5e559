import Foundation
import GPX
import TestSupport
import Testing

@testable import Receivers

struct GPXReaderTests {
    private func read(_ text: String) throws(GPXReader.Failure) -> [Route.Place] {
        var reader = GPXReader()
        try reader.read(Array(text.utf8).span)
        return try reader.finish()
    }

    private func place(_ latitude: Double, _ longitude: Double, _ altitude: Double = 0) -> Route.Place {
        Route.Place(latitude: latitude, longitude: longitude, altitude: altitude)
    }

    private static let track = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE gpx>
        <!-- <trkpt lat="1" lon="1"/> -- -->
        <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
          <metadata><name><![CDATA[<trkpt lat="2" lon="2"/>]]></name></metadata>
          <wpt lat="10" lon="20"><ele>5</ele></wpt>
          <trk><trkseg>
            <trkpt lat="59.5" lon="-18.25"><ele> 12.5 </ele><time>2026-01-01T00:00:00Z</time></trkpt>
            <trkpt lon='1e1' note="a > b" lat='-89.5'/>
          </trkseg></trk>
        </gpx>

        """

    @Test func aTrackIsReadAndPreferredToWaypoints() throws {
        #expect(try read(Self.track) == [place(59.5, -18.25, 12.5), place(-89.5, 10)])
    }

    @Test func whereTheFileIsCutMakesNoDifference() throws {
        var reader = GPXReader()
        for byte in Self.track.utf8 { try reader.read([byte].span) }
        #expect(try reader.finish() == read(Self.track))
    }

    @Test func routesWaypointsAndPrefixedNames() throws {
        #expect(
            try read("<gpx><wpt lat='1' lon='2'/><rte><rtept lat='3' lon='4'/></rte></gpx>") == [place(3, 4)])
        #expect(try read("<g:gpx xmlns:g='x'><g:wpt lat='1' lon='2'></g:wpt></g:gpx>") == [place(1, 2)])
    }

    @Test(arguments: [
        ("", 1, "no <gpx> element"),
        ("latitude,longitude\n1,2\n", 3, "no <gpx> element"),
        ("<?xml version='1.0'?>\n<kml></kml>", 2, "begins with <kml>"),
        ("<gpx>\n</gpx>", 2, "no <trkpt>, <rtept> or <wpt>"),
        ("<gpx>\n<wpt lat='1' lon='2'/>\n", 3, "ends before </gpx>"),
        ("<gpx>\n<wpt lat='1' lon='2'", 2, "ends before </gpx>"),
        ("<gpx>\n\n<trkpt lon='2'/></gpx>", 3, "<trkpt> lacks lat"),
        ("<gpx><trkpt lat='1'/></gpx>", 1, "<trkpt> lacks lon"),
        ("<gpx>\n<trkpt lat='north' lon='1'/></gpx>", 2, "lat=\"north\" of <trkpt> is not a number of degrees"),
        ("<gpx>\n<trkpt lat='90.1' lon='1'/></gpx>", 2, "from -90 to 90"),
        ("<gpx>\n<trkpt lat='1' lon='nan'/></gpx>", 2, "from -180 to 180"),
        ("<gpx>\n<" + String(repeating: "x", count: 5000), 2, "ends before </gpx>"),
    ])
    func anErrorNamesTheLine(text: String, line: Int, message: String) {
        let failure = #expect(throws: GPXReader.Failure.self) { try read(text) }
        #expect(failure?.line == line)
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    }

    @Test func whatCannotBeReadIsLeftOut() throws {
        #expect(
            try read(
                """
                <gpx><wpt lat='100' lon='1'/><trkpt lat='1' lon='2'><ele>high</ele></trkpt><trkpt lat='1' lon='188'/>
                <trkpt lat='3' lon='4'><ele>5</ele></trkpt></gpx>
                """) == [place(1, 2), place(3, 4, 5)])
    }

    @Test func filesOfOtherEncodingsAndFormats() throws {
        let directory = try TemporaryFolder()
        let text = "<gpx><wpt lat='1' lon='2'/></gpx>"
        let path = directory.path + "/utf16.gpx"
        var bytes: [UInt8] = [0xFF, 0xFE]
        for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try GPXFile.places(in: path) == [place(1, 2)])
        let kml = try directory.write("<kml/>\n", to: "walk.gpx")
        let failure = #expect(throws: ReceiverFailure.self) { try GPXFile.places(in: kml) }
        #expect(failure?.reason == .unusable && failure?.message.contains("a KML file") == true)
    }

    @Test func anyBytesAreReadOrRefused() {
        var random = SeededRandom(seed: 3)
        let alphabet = Array("<>/gpx trkpt lat='\"=lon-!?[]ele1.9\n".utf8)
        for _ in 0..<2000 {
            let bytes = (0..<200).map { _ in alphabet.randomElement(using: &random)! }
            var reader = GPXReader()
            if (try? reader.read(bytes.span)) != nil { #expect((try? reader.finish())?.isEmpty != true) }
        }
    }

    @Test func anErrorOfAFileNamesTheFile() throws {
        let directory = try TemporaryFolder()
        let path = try directory.write("<gpx>\n<trkpt/>\n</gpx>\n", to: "walk.gpx")
        let failure = #expect(throws: ReceiverFailure.self) { try GPXFile.places(in: path) }
        #expect(failure?.message == "\(path):2: <trkpt> lacks lat")
        let missing = #expect(throws: ReceiverFailure.self) { try GPXFile.places(in: directory.path + "/none.gpx") }
        #expect(missing?.reason == .missing)
    }
}
