package import LocationModel
internal import NMEA

/// A location in sentences of NMEA 0183, for readers that speak nothing else.
///
/// The sentences contain only what the location contains. A location does not list the satellites, which would reveal
/// the place. So GSA reports the number of dimensions without naming satellites, and GSV reports none.
package struct LocationSentences: Sendable {
    /// A kind of sentence, identified by its formatter (NMEA 0183, version 4.11).
    package enum Kind: String, Sendable, CaseIterable {
        case rmc = "RMC"
        case gga = "GGA"
        case gll = "GLL"
        case vtg = "VTG"
        case gsa = "GSA"
        case gsv = "GSV"
        case gst = "GST"
        case zda = "ZDA"
    }

    /// The kinds that most readers need, and the only ones for a location with reduced accuracy.
    package static let basicKinds: [Kind] = [.rmc, .gga]

    private let kinds: [Kind]
    private let talker: String

    /// - Parameters:
    ///   - kinds: The sentences of each location, in this order.
    ///   - talker: The talker's identifier: two capital letters.
    package init(_ kinds: [Kind] = basicKinds, talker: String = "GP") {
        self.kinds = kinds
        self.talker = talker
    }

    /// Returns the sentences of a location.
    package func bytes(of location: Location) -> [UInt8] {
        var writer = SentenceWriter()
        for kind in kinds { writer.add("\(talker)\(kind.rawValue),\(Self.fields(kind, location))") }
        return writer.bytes
    }

    /// Returns the sentences of a receiver that has no fix and does not know the time.
    package func bytesWithoutFix() -> [UInt8] {
        var writer = SentenceWriter()
        for kind in kinds { writer.add("\(talker)\(kind.rawValue),\(Self.fieldsWithoutFix(kind))") }
        return writer.bytes
    }

    private static func fields(_ kind: Kind, _ location: Location) -> String {
        let time = SentenceWriter.time(location.timestamp)
        let decimals = decimals(for: location)
        let place =
            SentenceWriter.latitude(location.latitude, decimals: decimals.minutes) + ","
            + SentenceWriter.longitude(location.longitude, decimals: decimals.minutes)
        let knots = decimal(location.speed.map { $0 * 3600 / 1852 }, 3)
        let course = decimal(location.course, 1)
        let (digit, mode) = quality(of: location)
        switch kind {
        case .rmc: return "\(time),A,\(place),\(knots),\(course),\(SentenceWriter.date(location.timestamp)),,,\(mode)"
        case .gga:
            let used = location.satellitesUsed.map { max(0, min($0, 99)).padded(to: 2) } ?? ""
            let separation = location.altitude.flatMap { altitude in
                location.ellipsoidalAltitude.map { $0 - altitude }
            }
            return "\(time),\(place),\(digit),\(used),\(decimal(dilution(of: location), 2)),"
                + "\(decimal(location.altitude, decimals.metres)),M,\(decimal(separation, 2)),M,"
                + "\(decimal(location.correctionAge, 1)),"
        case .gll: return "\(place),\(time),A,\(mode)"
        case .vtg: return "\(course),T,,M,\(knots),N,\(decimal(location.speed.map { $0 * 3.6 }, 3)),K,\(mode)"
        case .gsa:
            let dimensions = location.altitude == nil ? 2 : 3
            return "A,\(dimensions),,,,,,,,,,,,,,\(decimal(dilution(of: location), 2)),"
        case .gsv: return "1,1,00"
        case .gst:
            // The radius of a circle, and half the height interval, that contain 68 %: see RangeError.
            let axis = decimal(location.horizontalAccuracy.map { $0 / 1.5095 }, decimals.metres)
            let vertical = decimal(location.verticalAccuracy.map { $0 / 0.9945 }, decimals.metres)
            return "\(time),,,,,\(axis),\(axis),\(vertical)"
        case .zda:
            let (day, month, year) = SentenceWriter.calendarDate(location.timestamp)
            return "\(time),\(day.padded(to: 2)),\(month.padded(to: 2)),\(year.padded(to: 4)),00,00"
        }
    }

    private static func fieldsWithoutFix(_ kind: Kind) -> String {
        switch kind {
        case .rmc: ",V,,,,,,,,,,N"
        case .gga: ",,,,,0,00,99.99,,M,,M,,"
        case .gll: ",,,,,V,N"
        case .vtg: ",T,,M,,N,,K,N"
        case .gsa: "A,1,,,,,,,,,,,,,99.99,99.99,99.99"
        case .gsv: "1,1,00"
        case .gst: ",,,,,,,"
        case .zda: ",,,,,"
        }
    }

    /// Returns the decimals of minutes and of metres: for centimetres, or for millimetres if the accuracy calls for
    /// them. More would not fit into the 82 characters of a sentence.
    private static func decimals(for location: Location) -> (minutes: Int, metres: Int) {
        (location.horizontalAccuracy ?? 1) < 0.1 ? (6, 3) : (5, 2)
    }

    /// Returns GGA's quality and the mode in the other sentences.
    private static func quality(of location: Location) -> (digit: Int, mode: Character) {
        switch location.quality {
        case nil, .autonomous: (1, "A")
        case .differential: (2, "D")
        case .precise: (3, "P")
        case .rtkFixed: (4, "R")
        case .rtkFloat: (5, "F")
        case .deadReckoning, .remembered: (6, "E")
        case .fixed: (7, "M")
        case .simulated: (8, "S")
        }
    }

    /// Returns the dilution that the receiver reported, or otherwise the dilution that would give an autonomous fix
    /// this accuracy, at most the 99.99 for "unknown".
    private static func dilution(of location: Location) -> Double? {
        if let dilution = location.horizontalDilution { return dilution }
        guard let accuracy = location.horizontalAccuracy, let error = RangeError.metres(.autonomous) else { return nil }
        return min(accuracy / error, 99.99)
    }

    /// Returns a number with this number of decimals, or an empty text if the number is not known.
    private static func decimal(_ value: Double?, _ decimals: Int) -> String {
        guard let value, value.magnitude < 1e9 else { return "" }
        return SentenceWriter.decimal(value, decimals: decimals)
    }
}
