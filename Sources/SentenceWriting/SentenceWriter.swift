package import LocationModel

/// A writer of NMEA 0183 sentences.
package struct SentenceWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Adds a sentence. `body` is the part between `$` and `*`.
    package mutating func add(_ body: String) {
        var checksum: UInt8 = 0
        for byte in body.utf8 { checksum ^= byte }
        let hexadecimal = String(checksum, radix: 16, uppercase: true)
        bytes += "$\(body)*\(hexadecimal.count == 1 ? "0" : "")\(hexadecimal)\r\n".utf8
    }

    /// Formats a number with the given decimals, zero-padded to the given number of digits before the point.
    package static func decimal(_ value: Double, decimals: Int, digits: Int = 1) -> String {
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let limit = 1e15
        let scaled = Int64(max(-limit, min(limit, (value * Double(scale)).rounded())))
        let sign = scaled < 0 ? "-" : ""
        let whole = padded(Int(scaled.magnitude / UInt64(scale)), digits)
        return decimals == 0
            ? sign + whole : "\(sign)\(whole).\(padded(Int(scaled.magnitude % UInt64(scale)), decimals))"
    }

    /// Formats a number with at least the given number of digits.
    package static func padded(_ value: Int, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Formats a latitude as `4807.03812,N`: degrees, and minutes with a resolution of two centimetres.
    package static func latitude(_ degrees: Double) -> String {
        "\(angle(degrees, digits: 2)),\(degrees < 0 ? "S" : "N")"
    }

    /// Formats a longitude as `01131.00012,E`.
    package static func longitude(_ degrees: Double) -> String {
        "\(angle(degrees, digits: 3)),\(degrees < 0 ? "W" : "E")"
    }

    private static func angle(_ degrees: Double, digits: Int) -> String {
        let units = Int((degrees.magnitude * 60 * 100_000).rounded())
        let minutes = units % 6_000_000
        return "\(padded(units / 6_000_000, digits))\(padded(minutes / 100_000, 2)).\(padded(minutes % 100_000, 5))"
    }

    /// Formats the time of day as `123519.00`.
    package static func time(_ timestamp: Timestamp) -> String {
        let ofDay = Int(floorModulo(timestamp.millisecondsSince1970, 86_400_000))
        let seconds = ofDay / 1000
        return padded(seconds / 3600, 2) + padded(seconds / 60 % 60, 2) + padded(seconds % 60, 2) + "."
            + padded(ofDay % 1000 / 10, 2)
    }

    /// Formats the date as `230394`: day, month and the last two digits of the year.
    package static func date(_ timestamp: Timestamp) -> String {
        let (day, month, year) = calendarDate(timestamp)
        return padded(day, 2) + padded(month, 2) + padded(year % 100, 2)
    }

    /// Returns the day, the month and the year of a time, in UTC. The conversion from days follows Howard Hinnant's
    /// "chrono-Compatible Low-Level Date Algorithms": years begin on 1 March, in eras of 400.
    static func calendarDate(_ timestamp: Timestamp) -> (day: Int, month: Int, year: Int) {
        let milliseconds = timestamp.millisecondsSince1970
        let days = (milliseconds - floorModulo(milliseconds, 86_400_000)) / 86_400_000 + 719_468
        let ofEra = floorModulo(days, 146_097)
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + (month <= 2 ? 1 : 0) + (days - ofEra) / 146_097 * 400
        return (Int(day), Int(month), Int(year))
    }

    private static func floorModulo(_ value: Int64, _ divisor: Int64) -> Int64 {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
