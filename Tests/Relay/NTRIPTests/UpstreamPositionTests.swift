import LocationModel
import RTCM
import TestSupport
import Testing

@testable import NTRIP

/// The position that a caster receives, and the place of its station.
@Suite struct UpstreamPositionTests {
    private static let time = Timestamp("2026-06-01T12:05:07.250Z")!

    private func fields(_ location: Location) -> [Substring] {
        let text = String(decoding: UpstreamPosition.sentence(of: location, at: Self.time), as: UTF8.self)
        #expect(text.hasSuffix("\r\n"))
        return text.prefix { $0 != "*" }.split(separator: ",", omittingEmptySubsequences: false)
    }

    @Test func theExactSentence() {
        var location = Location(timestamp: Self.time, latitude: -33.8568, longitude: 151.2153)
        let bare = String(decoding: UpstreamPosition.sentence(of: location, at: Self.time), as: UTF8.self)
        #expect(bare == "$GPGGA,120507.25,3351.4080,S,15112.9180,E,1,10,1.0,0.0,M,0.0,M,,*\(checksum(bare))\r\n")
        #expect(fields(location).count == 15)
        (location.altitude, location.ellipsoidalAltitude) = (123.45, 145.95)
        let full = fields(location)
        #expect(full[9] == "123.5" && full[11] == "22.5")
    }

    /// Attack: a caster learns more about the receiver than its place, such as how well it sees the sky.
    @Test func nothingElseOfTheLocationIsSent() {
        var location = Location(timestamp: Self.time, latitude: 50, longitude: 8)
        let bare = fields(location)
        location.quality = .rtkFixed
        (location.satellitesUsed, location.horizontalDilution, location.correctionAge) = (31, 0.4, 1)
        (location.speed, location.course, location.horizontalAccuracy) = (12, 90, 0.01)
        location.receiver = "gps0"
        #expect(fields(location) == bare)
    }

    @Test(arguments: [(59.99999, "5959.9994"), (59.9999999, "6000.0000"), (0.00000049, "0000.0000")])
    func minutesThatRound(latitude: Double, text: String) {
        let location = Location(timestamp: Self.time, latitude: latitude, longitude: 0)
        #expect(fields(location)[2] == text)
    }

    @Test func theReferencePointIsCompared() throws {
        let point = try #require(self.point(of: RTCMFrames.referencePoint))
        let place = try #require(Place(point))
        // The standard's example is in the Chesapeake region of the United States.
        #expect(abs(place.longitude + 77.066) < 0.01 && abs(place.latitude - 38.8) < 0.2, "\(place)")
        let near = try #require(Place(latitude: place.latitude + 0.005, longitude: place.longitude))
        let far = try #require(Place(latitude: place.latitude + 0.02, longitude: place.longitude))
        var check = ReferenceCheck()
        #expect(check.check(point, station: 1, listed: near) == nil)
        #expect(check.check(point, station: 1, listed: near) == nil)
        check = ReferenceCheck()
        guard case .differsFromTable(let metres)? = check.check(point, station: 1, listed: far) else {
            Issue.record("no suspicion")
            return
        }
        #expect(abs(metres - 2220) < 20)
        #expect(check.check(point, station: 1, listed: far) == nil)
    }

    /// Attack: intact frames with another reference point move the receiver's position.
    @Test func aReferencePointThatMovesIsNoticed() throws {
        let point = try #require(self.point(of: RTCMFrames.referencePoint))
        var frame = Array(RTCMFrames.referencePoint.dropLast(3).dropFirst(3))
        frame[5] ^= 0x10
        let other = try #require(self.point(of: RTCMFrames.frame(frame)))
        #expect(point.distance(to: other) > 1000)
        var check = ReferenceCheck()
        #expect(check.check(point, station: 1, listed: nil) == nil)
        #expect(check.check(other, station: 1, listed: nil) == .moved(point.distance(to: other)))
        #expect(check.check(other, station: 1, listed: nil) == nil)
        // Another station has another place.
        #expect(check.check(point, station: 2, listed: nil) == nil)
    }

    private func point(of bytes: [UInt8]) -> ReferencePoint? {
        var delimiter = RTCMDelimiter()
        var point: ReferencePoint?
        delimiter.receive(bytes.span.bytes) { frame, bytes in point = ReferencePoint(frame, bytes) }
        return point
    }

    private func checksum(_ sentence: String) -> String {
        let sum = sentence.dropFirst().prefix { $0 != "*" }.utf8.reduce(UInt8(0)) { $0 ^ $1 }
        return String(String(Int(sum) + 0x100, radix: 16, uppercase: true).dropFirst())
    }
}
