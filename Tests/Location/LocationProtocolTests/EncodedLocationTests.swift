import LocationModel
import NIOCore
import Testing
import Varlink

@testable import LocationProtocol

/// The fast encoding of a location. It must equal the encoding of the types.
@Suite struct EncodedLocationTests {
    private var whole: Location {
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: 1_763_694_245_678), latitude: -44.06901166666667,
            longitude: 121.314, simulated: true)
        location.horizontalAccuracy = 4.5
        location.altitude = -3
        location.ellipsoidalAltitude = 1e-7
        location.verticalAccuracy = 9.25
        location.modelledAltitude = .altitude
        location.course = 359.9
        location.courseAccuracy = 2
        location.speed = 0.1
        location.speedAccuracy = 1.0 / 3
        location.quality = .deadReckoning
        location.correctionAge = 2.5
        location.satellitesUsed = 17
        location.horizontalDilution = 0.94
        location.receiver = "tty\"ACM0\u{1}ü"
        location.accessory = true
        location.doubts = FixDoubts(FixDoubts.Reason.allCases)
        return location
    }

    /// A location with the longest possible encoding.
    private var longest: Location {
        let number = -2.2250738585072014e-308
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: .max), latitude: number, longitude: number, simulated: false)
        location.horizontalAccuracy = number
        location.altitude = number
        location.ellipsoidalAltitude = number
        location.verticalAccuracy = number
        location.modelledAltitude = .ellipsoidalAltitude
        location.course = number
        location.courseAccuracy = number
        location.speed = number
        location.speedAccuracy = number
        location.quality = .deadReckoning
        location.correctionAge = number
        location.satellitesUsed = .min
        location.horizontalDilution = number
        location.receiver = String(repeating: "\u{1}", count: 4096)
        location.accessory = false
        location.doubts = FixDoubts(FixDoubts.Reason.allCases)
        return location
    }

    @Test(arguments: [true, false])
    func sameAsTheTypes(continues: Bool) throws {
        for location in [whole, longest, Location(timestamp: whole.timestamp, latitude: 0, longitude: 180)] {
            let fast = EncodedReply.location(location, continues: continues).frame
            let slow = try Frame.reply(
                parameters: Subscribe.Reply(update: Update(event: .location, location: location)), continues: continues)
            #expect(try parsed(fast) == parsed(slow))
            #expect(fast.readableBytesView.last == 0)
        }
    }

    private func parsed(_ frame: ByteBuffer) throws -> JSONValue {
        var frame = frame
        let message = frame.readSlice(length: frame.readableBytes - 1)!
        return try JSONValue(parsing: message.readableBytesUInt8Span)
    }
}
