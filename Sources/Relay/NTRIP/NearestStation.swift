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

    /// Returns the distance to a station, or `nil` if it is too far away, or its corrections do not suit.
    private static func distance(to station: Station, from place: Place) -> Double? {
        guard station.sendsRTCM3, station.carriers > 0, !station.needsPosition, !station.isNetwork,
            let distance = station.place?.distance(to: place)
        else { return nil }
        return distance <= (station.carriers > 1 ? limit : singleCarrierLimit) ? distance : nil
    }
}
