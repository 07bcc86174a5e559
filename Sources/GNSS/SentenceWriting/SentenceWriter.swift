package import LocationModel
internal import NMEA

/// A writer of NMEA 0183 sentences.
package struct SentenceWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Adds a sentence. `body` is the part between `$` and `*`.
    package mutating func add(_ body: String) {
        var checksum: UInt8 = 0
        for byte in body.utf8 { checksum ^= byte }
        bytes += "$\(body)*\(checksum.twoDigits)\r\n".utf8
    }

    /// Returns a number with these decimals, padded with zeros to this number of digits before the point.
    package static func decimal(_ value: Double, decimals: Int, digits: Int = 1) -> String {
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let limit = 1e15
        let scaled = Int64(max(-limit, min(limit, (value * Double(scale)).rounded())))
        let sign = scaled < 0 ? "-" : ""
        let whole = Int(scaled.magnitude / UInt64(scale)).padded(to: digits)
        return decimals == 0
            ? sign + whole : "\(sign)\(whole).\(Int(scaled.magnitude % UInt64(scale)).padded(to: decimals))"
    }

    /// Returns a latitude as `4807.03812,N`: degrees, and minutes with a resolution of two centimetres unless fewer
    /// decimals are asked for.
    package static func latitude(_ degrees: Double, decimals: Int = 5) -> String {
        "\(angle(degrees, digits: 2, decimals)),\(degrees < 0 ? "S" : "N")"
    }

    /// Returns a longitude as `01131.00012,E`.
    package static func longitude(_ degrees: Double, decimals: Int = 5) -> String {
        "\(angle(degrees, digits: 3, decimals)),\(degrees < 0 ? "W" : "E")"
    }

    private static func angle(_ degrees: Double, digits: Int, _ decimals: Int) -> String {
        var unit = 1
        for _ in 0..<decimals { unit *= 10 }
        let units = Int((degrees.magnitude * 60 * Double(unit)).rounded())
        let minutes = units % (60 * unit)
        let (degree, minute, fraction) = (units / (60 * unit), minutes / unit, minutes % unit)
        return "\(degree.padded(to: digits))\(minute.padded(to: 2)).\(fraction.padded(to: decimals))"
    }

    /// Returns the time of day as `123519.00`.
    package static func time(_ timestamp: Timestamp) -> String {
        let ofDay = Int(timestamp.dayAndMillisecond.millisecond)
        let seconds = ofDay / 1000
        let (hour, minute, second, hundredth) = (seconds / 3600, seconds / 60 % 60, seconds % 60, ofDay % 1000 / 10)
        return "\(hour.padded(to: 2))\(minute.padded(to: 2))\(second.padded(to: 2)).\(hundredth.padded(to: 2))"
    }

    /// Returns the date as `230394`: day, month and the last two digits of the year.
    package static func date(_ timestamp: Timestamp) -> String {
        let (day, month, year) = calendarDate(timestamp)
        return "\(day.padded(to: 2))\(month.padded(to: 2))\((year % 100).padded(to: 2))"
    }

    /// Returns the day, the month and the year of a time, in UTC.
    static func calendarDate(_ timestamp: Timestamp) -> (day: Int, month: Int, year: Int) {
        let date = Timestamp.civil(daysSince1970: timestamp.dayAndMillisecond.day)
        return (Int(date.day), Int(date.month), Int(date.year))
    }
}
