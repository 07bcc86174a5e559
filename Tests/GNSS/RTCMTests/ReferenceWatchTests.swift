import TestSupport
import Testing

@testable import RTCM

/// Reference stations that move.
@Suite struct ReferenceWatchTests {
    private func point(_ x: Double, isComputed: Bool = false) throws -> ReferencePoint {
        let bytes = RTCMFrames.referencePoint(isComputed: isComputed, x: x, y: -4_850_729.7108, z: 3_975_521.4643)
        var delimiter = RTCMDelimiter()
        var point: ReferencePoint?
        delimiter.receive(bytes.span.bytes) { frame, bytes in point = ReferencePoint(frame, bytes) }
        return try #require(point)
    }

    @Test func aPointAsTheStandardHasIt() throws {
        let bytes = RTCMFrames.referencePoint(
            station: 2003, x: 1_114_104.5999, y: -4_850_729.7108, z: 3_975_521.4643)
        // The standard's example is of a station without GLONASS and Galileo, too.
        #expect(bytes == RTCMFrames.referencePoint)
        #expect(try !point(1_114_104.5999).isComputed)
        #expect(try point(1_114_104.5999, isComputed: true).isComputed)
    }

    @Test func anAntennaThatStays() throws {
        var watch = ReferenceWatch()
        for metres in [0.0, 0.1, -0.1, 999, 0] {
            #expect(watch.movement(to: try point(1_114_104 + metres), of: 7) == nil)
        }
    }

    /// Attack: the reference point moves in steps, each of which is too small to be noticed.
    @Test func stepsAddUp() throws {
        var watch = ReferenceWatch()
        var found: [Double] = []
        for step in 0...30 {
            if let distance = watch.movement(to: try point(1_114_104 + 100 * Double(step)), of: 7) {
                found.append(distance)
            }
        }
        #expect(found.map { $0.rounded() } == [1100, 1100])
    }

    @Test func anotherStationHasAnotherPlace() throws {
        var watch = ReferenceWatch()
        #expect(watch.movement(to: try point(1_114_104), of: 7) == nil)
        #expect(watch.movement(to: try point(1_124_104), of: 8) == nil)
        #expect(watch.movement(to: try point(1_126_104), of: 8) == 2000)
    }

    @Test func aComputedPlaceMovesAlong() throws {
        var watch = ReferenceWatch()
        for kilometre in 0...10 {
            let place = try point(1_114_104 + 2000 * Double(kilometre), isComputed: true)
            #expect(watch.movement(to: place, of: 7) == nil)
        }
        // Attack: a station that was measured is said to be computed from now on.
        watch = ReferenceWatch()
        #expect(watch.movement(to: try point(1_114_104), of: 7) == nil)
        #expect(watch.movement(to: try point(1_116_104, isComputed: true), of: 7) == 2000)
    }
}
