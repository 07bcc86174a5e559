import LocationModel
import Publishing

/// Reports for the tests.
enum Samples {
    static func time(_ seconds: Double) -> Timestamp { Timestamp(millisecondsSince1970: Int64(seconds * 1000)) }

    static func report(_ seconds: Double) -> Report {
        Report(location: Location(timestamp: time(seconds), latitude: 47.25, longitude: 8.5))
    }

    /// A report of a location with reduced accuracy.
    static func reduced(_ seconds: Double) -> Report {
        var report = report(seconds)
        report.location.horizontalAccuracy = 8500
        return report
    }

    static func reports(_ seconds: ClosedRange<Int>) -> [Report] { seconds.map { report(Double($0)) } }

    static func crossing(_ seconds: Double) -> Report {
        var report = report(seconds)
        report.crossing = .init(region: "home", isEntry: true)
        return report
    }
}
