internal import LocationModel
internal import NMEA

/// RMC and GGA made of a location: for a reduced one, and for receivers that do not speak NMEA 0183.
///
/// For a reduced location they have what it has: time, place, and a dilution from its radius. GSA and GSV, which tell
/// the place by the satellites, are never made.
struct SynthesizedSentences {
    private(set) var bytes: [UInt8] = []

    init(_ location: Location) {
        let time = Self.time(of: location.timestamp)
        let place =
            Self.angle(location.latitude, "NS", degrees: 2) + "," + Self.angle(location.longitude, "EW", degrees: 3)
        let speed = Self.decimal(location.speed.map { $0 * 3600 / 1852 }, 1)
        let course = Self.decimal(location.course, 1)
        append("GPRMC,\(time.ofDay),A,\(place),\(speed),\(course),\(time.date),,,A")
        let altitude = Self.decimal(location.altitude, 1)
        let separation = location.altitude.flatMap { altitude in location.ellipsoidalAltitude.map { $0 - altitude } }
        append(
            "GPGGA,\(time.ofDay),\(place),1,,\(Self.decimal(Self.dilution(of: location), 2)),"
                + "\(altitude),M,\(Self.decimal(separation, 1)),M,,")
    }

    /// Appends a sentence, with its `$`, checksum and line end.
    private mutating func append(_ body: String) {
        let checksum = body.utf8.reduce(0, ^)
        let digits = String(checksum, radix: 16, uppercase: true)
        bytes += "$\(body)*\(checksum < 16 ? "0" : "")\(digits)\r\n".utf8
    }

    /// Returns the dilution for which the radius would be that of a plain fix, at most the 99.99 for "unknown".
    private static func dilution(of location: Location) -> Double? {
        guard let accuracy = location.horizontalAccuracy, let error = RangeError.metres(.autonomous) else { return nil }
        return min(accuracy / error, 99.99)
    }

    /// Returns `hhmmss.ss` and `ddmmyy`.
    private static func time(of timestamp: Timestamp) -> (ofDay: String, date: String) {
        let text = Array(timestamp.description.utf8)
        func digits(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        // 2026-11-21T12:03:10.000Z
        return (
            digits(11..<13) + digits(14..<16) + digits(17..<19) + "." + digits(20..<22),
            digits(8..<10) + digits(5..<7) + digits(2..<4)
        )
    }

    /// Returns degrees, minutes with five decimals, and the hemisphere.
    private static func angle(_ value: Double, _ hemispheres: StaticString, degrees: Int) -> String {
        let total = Int((value.magnitude * 6_000_000).rounded())
        let (whole, minutes) = total.quotientAndRemainder(dividingBy: 6_000_000)
        let hemisphere = hemispheres.utf8Start[value < 0 ? 1 : 0]
        return padded(whole, degrees) + padded(minutes / 100_000, 2) + "." + padded(minutes % 100_000, 5) + ","
            + String(UnicodeScalar(hemisphere))
    }

    private static func padded(_ number: Int, _ length: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
    }

    /// Returns a number with 1 or 2 decimals, or nothing if it is not known.
    private static func decimal(_ value: Double?, _ decimals: Int) -> String {
        guard let value, value.magnitude < 1e9 else { return "" }
        let scale = decimals == 1 ? 10.0 : 100.0
        let scaled = Int((value.magnitude * scale).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int(scale))
        return (value < 0 && scaled > 0 ? "-" : "") + "\(whole)." + padded(rest, decimals)
    }
}
