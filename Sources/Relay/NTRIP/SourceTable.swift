/// A caster's list of mount points: RTCM 10410.1, section 2.6.
package struct SourceTable: Sendable, Equatable {
    /// The maximum length of a line, in bytes. A longer one is skipped.
    static let maximumLine = 4096
    /// The maximum length of a table, in bytes.
    package static let maximumLength = 4 << 20
    /// The maximum number of mount points that are kept.
    package static let maximumStations = 5000

    /// The mount points, in the order of the table.
    package private(set) var stations: [Station] = []
    /// A Boolean value indicating whether the last line has been read.
    package private(set) var isComplete = false
    private var length = 0
    private var line: [UInt8] = []

    package init() {}

    /// Consumes bytes of the table. Returns `false` if it is too long.
    ///
    /// Attack: a table without end, of endless lines or of endless stations.
    package mutating func receive(_ bytes: [UInt8]) -> Bool {
        length += bytes.count
        guard length <= Self.maximumLength else { return false }
        for byte in bytes where !isComplete {
            if byte == UInt8(ascii: "\n") {
                if line.count <= Self.maximumLine { read(String(decoding: line, as: UTF8.self)) }
                line.removeAll(keepingCapacity: true)
            } else if byte != UInt8(ascii: "\r"), line.count <= Self.maximumLine {
                line.append(byte)
            }
        }
        return true
    }

    /// The mount point with a name, or `nil` if there is none.
    package func station(_ mount: String) -> Station? { stations.first { $0.mount == mount } }

    /// Returns whether a line is a row of a table.
    static func isRow(_ line: String) -> Bool {
        ["STR;", "CAS;", "NET;", "ENDSOURCETABLE"].contains(where: line.hasPrefix)
    }

    private mutating func read(_ line: String) {
        if line.hasPrefix("ENDSOURCETABLE") {
            isComplete = true
        } else if line.hasPrefix("STR;"), stations.count < Self.maximumStations, let station = Station(row: line) {
            stations.append(station)
        }
    }
}

/// A mount point in a source table.
package struct Station: Sendable, Equatable {
    package let mount: String
    /// The place of the station in degrees, rounded to 0.01 by most casters; `nil` if the row has none.
    package let place: Place?
    /// A Boolean value indicating whether the corrections are RTCM 3.
    package let sendsRTCM3: Bool
    /// The number of carriers that are measured.
    package let carriers: Int
    /// A Boolean value indicating whether the caster needs the position of the receiver.
    package let needsPosition: Bool
    /// A Boolean value indicating whether the corrections are computed from several stations.
    package let isNetwork: Bool

    /// Creates a mount point of a configuration, whose row is not known; `nil` if its name could not be requested.
    init?(mount: String) {
        guard CasterAddress.isMount(mount) else { return nil }
        self.mount = mount
        (place, sendsRTCM3, carriers, needsPosition, isNetwork) = (nil, true, 0, false, false)
    }

    /// Reads a row, or returns `nil` if its name could not be requested.
    init?(row: String) {
        // A row of str2str ends after the name.
        let fields = Self.fields(row) + [String](repeating: "", count: 13)
        guard CasterAddress.isMount(fields[1]) else { return nil }
        mount = fields[1]
        // Spellings in use: RTCM 3, RTCM3, RTCM 3.2, RTCM3.2, RTCM32.
        sendsRTCM3 = fields[3].uppercased().filter { $0 != " " }.hasPrefix("RTCM3")
        carriers = Int(fields[5]) ?? 0
        place = Double(fields[9]).flatMap { latitude in
            Double(fields[10]).flatMap { Place(latitude: latitude, longitude: $0) }
        }
        needsPosition = fields[11] == "1"
        isNetwork = fields[12] == "1"
    }

    /// Returns the fields of a row. A field in quotation marks may contain a semicolon.
    private static func fields(_ row: String) -> [String] {
        var fields = [""]
        var isQuoted = false
        for scalar in row.unicodeScalars {
            switch scalar {
            case "\"": isQuoted.toggle()
            case ";" where !isQuoted: fields.append("")
            default: fields[fields.count - 1].unicodeScalars.append(scalar)
            }
        }
        return fields
    }
}

/// The output of `locationd-ntrip list`: mount points with RTCM 3.
extension Station: Codable {
    private enum CodingKeys: String, CodingKey { case mount, latitude, longitude, carriers, needsPosition, isNetwork }

    /// Attack: a caster takes over the program that reads its list, which then writes a name with a line break, and the
    /// text after it becomes a key of the configuration.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .mount)
        guard CasterAddress.isMount(name) else {
            throw DecodingError.dataCorruptedError(
                forKey: .mount, in: container, debugDescription: "it is not the name of a mount point")
        }
        let latitude = try container.decodeIfPresent(Double.self, forKey: .latitude)
        let longitude = try container.decodeIfPresent(Double.self, forKey: .longitude)
        mount = name
        place = latitude.flatMap { latitude in longitude.flatMap { Place(latitude: latitude, longitude: $0) } }
        sendsRTCM3 = true
        carriers = try container.decode(Int.self, forKey: .carriers)
        needsPosition = try container.decode(Bool.self, forKey: .needsPosition)
        isNetwork = try container.decode(Bool.self, forKey: .isNetwork)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(mount, forKey: .mount)
        try container.encodeIfPresent(place?.latitude, forKey: .latitude)
        try container.encodeIfPresent(place?.longitude, forKey: .longitude)
        try container.encode(carriers, forKey: .carriers)
        try container.encode(needsPosition, forKey: .needsPosition)
        try container.encode(isNetwork, forKey: .isNetwork)
    }
}
