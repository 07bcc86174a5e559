/// The choice of the nearest base station, on this machine: the caster learns which station, and so a circle of some
/// 20 km, but not the place.
package enum NearestStation {
    /// The greatest distance to a base station that measures several carriers, in metres. Beyond it, the errors of
    /// both ends differ too much for a fixed solution.
    static let limit = 35_000.0
    /// The greatest distance to a base station that measures one carrier, in metres.
    static let singleCarrierLimit = 15_000.0
    /// Another station must be nearer by this distance, in metres, to be changed to.
    static let hysteresis = 5_000.0

    /// Returns the station for a place, or `nil` if none is near enough.
    ///
    /// - Parameter current: The mount point in use, or `nil` if there is none, or it has failed.
    package static func choose(for place: Place, from stations: [Station], current: String?) -> Station? {
        let near = stations.compactMap { station in distance(to: station, from: place).map { (station, $0) } }
        guard let best = near.min(by: { $0.1 < $1.1 }) else { return nil }
        guard let former = near.first(where: { $0.0.mount == current }) else { return best.0 }
        return former.1 - best.1 >= hysteresis ? best.0 : former.0
    }

    /// Returns the stations with the nearest ones first, and those without a place last.
    package static func ordered(_ stations: [Station], from place: Place?) -> [Station] {
        guard let place else { return stations }
        let distances = stations.enumerated().map { offset, station in
            (station, station.place?.distance(to: place) ?? .infinity, offset)
        }
        return distances.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
    }

    /// The maximum number of names in a message.
    private static let maximumNames = 10

    /// Returns the names of the stations with RTCM 3 for a message, the nearest ones first if the place is known. A
    /// name has only letters, digits and a few signs.
    static func listing(_ stations: [Station], from place: Place?) -> String {
        let names = ordered(stations.filter(\.sendsRTCM3), from: place).map(\.mount)
        guard !names.isEmpty else { return "it has none with RTCM 3" }
        let rest = names.count > maximumNames ? " and \(names.count - maximumNames) others" : ""
        return "it has \(names.prefix(maximumNames).joined(separator: ", "))\(rest)"
    }

    /// Returns the greatest distance to a station that permits a fixed solution, in metres. A station of no table
    /// counts as one that measures several carriers.
    package static func greatestDistance(to station: Station?) -> Double {
        station.map { $0.carriers > 1 } ?? true ? limit : singleCarrierLimit
    }

    /// Returns the distance to a station, or `nil` if it is too far away, or its corrections do not suit.
    private static func distance(to station: Station, from place: Place) -> Double? {
        guard station.sendsRTCM3, station.carriers > 0, !station.needsPosition, !station.isNetwork,
            let distance = station.place?.distance(to: place)
        else { return nil }
        return distance <= greatestDistance(to: station) ? distance : nil
    }
}
