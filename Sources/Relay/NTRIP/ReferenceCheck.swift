package import RTCM

/// Compares a reference station's place with its former one and with the source table's.
///
/// Attack: a caster, or another machine on the way to it, changes the reference point in intact frames. The receiver's
/// position moves by as much, and still counts as fixed.
package struct ReferenceCheck: Sendable {
    package enum Suspicion: Sendable, Equatable {
        /// The place is this far from the source table's, in metres.
        case differsFromTable(Double)
        /// The place has moved this far, in metres, while the station's number has not changed.
        case moved(Double)
    }

    private var watch = ReferenceWatch()
    private var isTableCompared = false
    private var hasMoved = false

    package init() {}

    /// Checks a reference point. Returns each suspicion once.
    package mutating func check(_ point: ReferencePoint, station: Int?, listed: Place?) -> Suspicion? {
        if let distance = watch.movement(to: point, of: station), !hasMoved {
            hasMoved = true
            return .moved(distance)
        }
        guard !isTableCompared, let listed else { return nil }
        isTableCompared = true
        guard let distance = Place(point)?.distance(to: listed), distance > ReferenceWatch.limit else { return nil }
        return .differsFromTable(distance)
    }
}
