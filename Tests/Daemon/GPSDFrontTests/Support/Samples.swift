import LocationModel
import NIOCore
import NMEA
import Receivers

@testable import GPSDFront
@testable import LocationCore

/// Values that the tests share.
enum Samples {
    static let time = Timestamp(millisecondsSince1970: 1_795_262_590_000)  // 2026-11-21T12:03:10Z

    /// A fix of three dimensions, with all values that a receiver may report.
    static var location: Location {
        var location = Location(timestamp: time, latitude: 47.5, longitude: 8.75)
        location.horizontalAccuracy = 2
        location.altitude = 400
        location.ellipsoidalAltitude = 447
        location.verticalAccuracy = 3
        location.course = 83.4
        location.courseAccuracy = 1
        location.speed = 6.431
        location.speedAccuracy = 0.5
        location.receiver = "ttyUSB0"
        return location
    }

    /// A location as the reducer returns it.
    static var cell: Location {
        var location = Location(timestamp: time, latitude: -47.5, longitude: -8.75)
        location.horizontalAccuracy = 5000
        return location
    }

    static var satellites: [Satellite] {
        var used = Satellite(constellation: .gps, number: 4, used: true)
        (used.elevation, used.azimuth, used.signalStrength) = (40, 83, 46)
        return [used, Satellite(constellation: .glonass, number: 2)]
    }

    static func report(sentences: [UInt8]? = nil) -> ReceiverUpdate {
        var location = location
        (location.quality, location.horizontalDilution) = (.differential, 0.9)
        let fix = Fix(location: location, dimension: .three, vdop: 1.2, pdop: 1.5)
        return ReceiverUpdate(
            receiver: "ttyUSB0", fix: fix, receivedAt: .distantPast, satellites: satellites, sentences: sentences)
    }

    static func device(_ id: Int = 0, active: Bool = true) -> ListedDevice {
        ListedDevice(
            id: id, receiver: "ttyUSB\(id)", path: "/dev/ttyUSB\(id)", driver: "NMEA0183",
            activated: active ? time : nil,
            port: ListedDevice.Port(bitsPerSecond: 9600, parity: "N", stopBits: 1))
    }

    static let devices = DeviceList([device()])

    /// The messages of one epoch for clients with full accuracy, with sentences.
    static func epoch() -> EpochMessages {
        EpochMessages(
            location, report: report(sentences: Array("$GPGSV,1\r\n".utf8)), isReduced: false, device: "/dev/ttyUSB0")
    }

    static func cellMessages() -> EpochMessages {
        EpochMessages(cell, report: nil, isReduced: true, device: "/dev/ttyUSB0")
    }
}

extension ByteBuffer {
    var text: String { String(buffer: self) }
    var lines: [String] { text.split(separator: "\r\n").map(String.init) }
}
