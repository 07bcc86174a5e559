import Foundation

/// The time zones of the IANA database, each with its country and the coordinates of its principal place.
struct ZoneTable: Sendable {
    struct Zone: Sendable {
        let country: Substring
        let place: CLLocationCoordinate2D
        let name: String
    }

    /// The greatest distance in metres of a zone's principal place, if the country is unknown: at sea there is no zone.
    private static let maximumDistance = 1_000_000.0
    /// The table of this machine, which is empty without the IANA database.
    static let machine = ZoneTable(
        parsing: (try? String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8)) ?? "")

    let zones: [Zone]

    /// Parses the database's file `zone.tab`: a country, coordinates and a name in each line, separated by tabs.
    init(parsing text: String) {
        zones = text.split(separator: "\n").compactMap { line in
            let columns = line.split(separator: "\t")
            guard !line.hasPrefix("#"), columns.count >= 3, let place = CLLocationCoordinate2D(iso6709: columns[1])
            else { return nil }
            return Zone(country: columns[0], place: place, name: String(columns[2]))
        }
    }

    /// Returns the name of the zone at a coordinate, or `nil` where another zone is too near to be sure.
    ///
    /// The database has no borders. So the zone with the nearest principal place in the country counts, unless one that
    /// is less than twice as far has another time. If the country is unknown, the zones of all countries are compared,
    /// up to four times as far: a border may be anywhere between them.
    ///
    /// - Parameters:
    ///   - country: The two-letter code of the country, or `nil` if it is unknown.
    ///   - offsets: Returns a zone's offsets from UTC in seconds. Zones with the same offsets have the same time.
    func zone(
        at coordinate: CLLocationCoordinate2D, country: String?, offsets: (String) -> [Int] = currentOffsets
    ) -> String? {
        guard CLLocationCoordinate2DIsValid(coordinate) else { return nil }
        let code = country?.uppercased()
        let candidates = zones.filter { code == nil || $0.country == code! }
            .map { (name: $0.name, distance: coordinate.distance(to: $0.place)) }
        guard let nearest = candidates.min(by: { $0.distance < $1.distance }),
            code != nil || nearest.distance <= Self.maximumDistance
        else { return nil }
        let reach = nearest.distance * (code == nil ? 4 : 2)
        let time = offsets(nearest.name)
        return candidates.allSatisfy { $0.distance >= reach || offsets($0.name) == time } ? nearest.name : nil
    }

    /// Returns a zone's offsets from UTC in seconds, now and in half a year: summer time is a difference too.
    static func currentOffsets(of name: String) -> [Int] {
        let halfYear = 182.0 * 86_400
        guard let zone = TimeZone(identifier: name) else { return [] }
        return [0, halfYear].map { zone.secondsFromGMT(for: Date(timeIntervalSinceNow: $0)) }
    }
}

extension CLLocationCoordinate2D {
    /// Parses ±DDMM±DDDMM or ±DDMMSS±DDDMMSS, as `zone.tab` has them.
    fileprivate init?(iso6709 text: Substring) {
        guard let sign = text.dropFirst().firstIndex(where: { $0 == "+" || $0 == "-" }),
            let latitude = Self.degrees(text[..<sign], digits: 2),
            let longitude = Self.degrees(text[sign...], digits: 3)
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    private static func degrees(_ text: Substring, digits: Int) -> Double? {
        let number = text.dropFirst()
        guard let degrees = Double(number.prefix(digits)), let minutes = Double(number.dropFirst(digits).prefix(2))
        else { return nil }
        let seconds = Double(number.dropFirst(digits + 2)) ?? 0
        return (degrees + minutes / 60 + seconds / 3600) * (text.hasPrefix("-") ? -1 : 1)
    }
}
