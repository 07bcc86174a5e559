import NMEA
import Testing

@testable import LogReport

struct SkyPathTests {
    /// Returns the paths of a receiver that reports one satellite at these directions, a minute apart.
    private func paths(_ directions: [(azimuth: Int, elevation: Int)], minutes: Int64 = 1) -> SkyPaths {
        var paths = SkyPaths()
        for (index, direction) in directions.enumerated() {
            var log = SampleLog()
            log.add("GPGSV,1,1,01,07,\(direction.elevation),\(direction.azimuth),41")
            log.fix(index)
            var decoder = NMEADecoder()
            decoder.decode(Array(log.text.utf8).span.bytes) { _ in }
            _ = decoder.flush()
            paths.add(decoder.satellites, at: Int64(index) * minutes * 60_000)
        }
        return paths
    }

    @Test func aPathHasAPointForEachStep() throws {
        let path = try #require(paths((0..<90).map { (90, $0) }).satellites.first)
        #expect(path.number == 7 && path.seen == 90 && path.signal.mean == 41)
        #expect(path.points.count == 30 && path.points[0].isStart && !path.points[1].isStart)
        #expect(path.latest?.elevation == 89)
    }

    @Test func anUnknownDirectionIsNoPoint() throws {
        #expect(try #require(paths([(0, 0), (0, 0)]).satellites.first).points.isEmpty)
    }

    @Test func aSatelliteThatRisesAgainBeginsAgain() throws {
        let path = try #require(paths([(90, 5), (90, 9), (270, 5), (270, 9)]).satellites.first)
        #expect(path.points.map(\.isStart) == [true, false, true, false])
        let late = try #require(paths([(90, 5), (90, 9)], minutes: 11).satellites.first)
        #expect(late.points.map(\.isStart) == [true, true])
    }

    @Test func theLastPassesAreKept() throws {
        let path = try #require(paths((0..<400).map { ($0 * 7 % 360, 30) }).satellites.first)
        #expect(path.points.count <= SkyPaths.Path.maximumPoints)
        #expect(path.points[0].isStart && path.points.last?.azimuth == 399 * 7 % 360)
    }
}
