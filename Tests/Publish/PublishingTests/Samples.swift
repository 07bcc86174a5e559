import LocationModel
import Publishing

/// Reports for the tests.
enum Samples {
    /// A location of which everything is known.
    static let whole: Location = {
        var location = Location(
            timestamp: Timestamp(millisecondsSince1970: 1_700_000_000_250), latitude: 47.25, longitude: -8.5)
        location.horizontalAccuracy = 2.6
        location.altitude = 431.4
        location.ellipsoidalAltitude = 479
        location.verticalAccuracy = 4.2
        location.course = 271.6
        location.courseAccuracy = 1.5
        location.speed = 10
        location.speedAccuracy = 0.25
        location.quality = .differential
        location.correctionAge = 3
        location.satellitesUsed = 9
        location.horizontalDilution = 0.9
        location.receiver = "u-blox"
        return location
    }()

    /// A location of which only time and place are known.
    static func bare(_ milliseconds: Int64 = 1_700_000_000_250) -> Location {
        Location(timestamp: Timestamp(millisecondsSince1970: milliseconds), latitude: 47.25, longitude: -8.5)
    }

    static func entry(_ number: Int64, _ report: Report = Report(location: bare())) -> QueuedReport {
        QueuedReport(identity: ReportIdentity(queue: "00112233aabbccdd", number: number), report: report)
    }

    static func crossing(_ number: Int64, isEntry: Bool = true) -> QueuedReport {
        entry(number, Report(location: bare(), crossing: .init(region: "Ümlaut & co", isEntry: isEntry)))
    }
}

extension Message {
    /// The payload as text.
    var text: String { String(decoding: payload, as: UTF8.self) }
}
