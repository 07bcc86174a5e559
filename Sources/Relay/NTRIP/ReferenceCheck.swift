package import RTCM

/// Compares a reference station's place with its former one and with the source table's.
///
/// Attack: a caster, or another machine on the way to it, changes the reference point in intact frames. The receiver's
/// position moves by as much, and still counts as fixed.
package struct ReferenceCheck: Sendable {
    /// The distance that counts as suspicious, in metres. Source tables are rounded to about one kilometre.
    static let limit = 1000.0

    package enum Suspicion: Sendable, Equatable {
        /// The place is this far from the source table's, in metres.
        case differsFromTable(Double)
        /// The place has moved this far, in metres, while the station's number has not changed.
        case moved(Double)
    }

    private var former: (station: Int?, point: ReferencePoint)?
    private var isTableCompared = false
    private var hasMoved = false

    package init() {}

    /// Checks a reference point. Returns each suspicion once.
    package mutating func check(_ point: ReferencePoint, station: Int?, listed: Place?) -> Suspicion? {
        defer { former = (station, point) }
        if let former, former.station == station, !hasMoved {
            let distance = former.point.distance(to: point)
            hasMoved = distance > Self.limit
            if hasMoved { return .moved(distance) }
        }
        guard !isTableCompared, let listed else { return nil }
        isTableCompared = true
        guard let distance = Place(point)?.distance(to: listed), distance > Self.limit else { return nil }
        return .differsFromTable(distance)
    }
}
