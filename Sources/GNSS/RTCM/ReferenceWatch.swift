/// Finds a reference station that has moved farther than an antenna does.
///
/// Attack: a caster, or another machine on the way to it, changes the reference point in intact frames, at once or step
/// by step. The receiver's position moves by as much, and still counts as fixed.
package struct ReferenceWatch: Sendable {
    /// The distance that counts as suspicious, in metres. Source tables are rounded to about one kilometre.
    package static let limit = 1000.0

    private var first: (station: Int?, point: ReferencePoint)?

    package init() {}

    /// Considers the reference point of a station. Returns the distance from its first one in metres, if it is
    /// suspicious. Later ones are then compared with this one.
    ///
    /// A network computes a place near the receiver, and moves it along.
    package mutating func movement(to point: ReferencePoint, of station: Int?) -> Double? {
        guard let first, first.station == station, !(first.point.isComputed && point.isComputed) else {
            self.first = (station, point)
            return nil
        }
        let distance = first.point.distance(to: point)
        guard distance > Self.limit else { return nil }
        self.first = (station, point)
        return distance
    }
}
