internal import LocationModel
internal import NMEA
internal import Receivers

/// RMC and GGA made of a location: for a reduced one, and for receivers that do not speak NMEA 0183.
///
/// For a reduced location they have what it has: time, place, and a dilution from its radius. GSA and GSV, which tell
/// the place by the satellites, are never made.
struct SynthesizedSentences {
    private var writer = SentenceWriter()

    var bytes: [UInt8] { writer.bytes }

    init(_ location: Location) {
        let time = SentenceWriter.time(location.timestamp)
        let place = SentenceWriter.latitude(location.latitude) + "," + SentenceWriter.longitude(location.longitude)
        let speed = Self.decimal(location.speed.map { $0 * 3600 / 1852 }, 1)
        let course = Self.decimal(location.course, 1)
        writer.add("GPRMC,\(time),A,\(place),\(speed),\(course),\(SentenceWriter.date(location.timestamp)),,,A")
        let altitude = Self.decimal(location.altitude, 1)
        let separation = location.altitude.flatMap { altitude in location.ellipsoidalAltitude.map { $0 - altitude } }
        writer.add(
            "GPGGA,\(time),\(place),1,,\(Self.decimal(Self.dilution(of: location), 2)),"
                + "\(altitude),M,\(Self.decimal(separation, 1)),M,,")
    }

    /// Returns the dilution for which the radius would be that of a plain fix, at most the 99.99 for "unknown".
    private static func dilution(of location: Location) -> Double? {
        guard let accuracy = location.horizontalAccuracy, let error = RangeError.metres(.autonomous) else { return nil }
        return min(accuracy / error, 99.99)
    }

    /// Returns a number with that many decimals, or nothing if it is not known.
    private static func decimal(_ value: Double?, _ decimals: Int) -> String {
        guard let value, value.magnitude < 1e9 else { return "" }
        return SentenceWriter.decimal(value, decimals: decimals)
    }
}
