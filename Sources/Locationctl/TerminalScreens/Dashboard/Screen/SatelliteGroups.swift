internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport

/// The satellites of one constellation.
struct SatelliteGroup: Equatable {
    var constellation: Satellite.Constellation?
    /// The satellites, strongest signal first.
    var satellites: [Satellite]

    var name: String {
        switch constellation {
        case .gps: "GPS"
        case .sbas: "SBAS"
        case .glonass: "GLONASS"
        case .galileo: "Galileo"
        case .beidou: "BeiDou"
        case .qzss: "QZSS"
        case .navic: "NavIC"
        // Translators: Satellites of another system than GPS, Galileo and so on. At most 7 columns.
        case nil: translated("other")
        }
    }

    var used: [Satellite] { satellites.filter(\.used) }
    var unused: [Satellite] { satellites.filter { !$0.used } }
}

/// The satellites that are shown, by constellation.
enum SatelliteGroups {
    /// Returns the satellites of the receiver in use, or else of the first receiver that sees any.
    static func shown(_ state: DashboardState) -> [Satellite] {
        let inUse = state.receivers.first(where: \.inUse)?.name
        let lists = state.satellites.filter { !$0.satellites.isEmpty }
        return (lists.first { $0.receiver == inUse } ?? lists.first)?.satellites ?? []
    }

    /// Returns the groups in the order of the constellations.
    static func of(_ satellites: [Satellite]) -> [SatelliteGroup] {
        let order: [Satellite.Constellation?] = [.gps, .glonass, .galileo, .beidou, .qzss, .navic, .sbas, nil]
        return order.compactMap { constellation in
            let members = satellites.filter { $0.constellation == constellation }
            guard !members.isEmpty else { return nil }
            let sorted = members.sorted { ($0.signalStrength ?? -1, $1.number) > ($1.signalStrength ?? -1, $0.number) }
            return SatelliteGroup(constellation: constellation, satellites: sorted)
        }
    }

    /// Returns the satellite's name as in RINEX: `G07`; in lower case if the fix does not use it.
    static func name(of satellite: Satellite) -> String {
        let number = satellite.number.magnitude % 100
        return "\(mark(of: satellite))\(number < 10 ? "0" : "")\(number)"
    }

    /// Returns the letter of the satellite's constellation, in lower case if the fix does not use the satellite.
    static func mark(of satellite: Satellite) -> Character {
        let letter = letter(of: satellite.constellation)
        return satellite.used ? letter : Character(letter.lowercased())
    }

    /// Returns the letter of a constellation, as in RINEX 4.
    static func letter(of constellation: Satellite.Constellation?) -> Character {
        switch constellation {
        case .gps: "G"
        case .glonass: "R"
        case .galileo: "E"
        case .beidou: "C"
        case .qzss: "J"
        case .navic: "I"
        case .sbas: "S"
        case nil: "X"
        }
    }
}
