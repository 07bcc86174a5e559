/// A point of a GPX file: of a track, of a route, or a waypoint.
package struct GPXPoint: Sendable, Equatable {
    /// The element that a point is.
    package enum Kind: Sendable {
        case track, route, waypoint
    }

    package var kind: Kind
    /// Degrees north of the equator, -90...90.
    package var latitude: Double
    /// Degrees east of Greenwich, -180...180.
    package var longitude: Double
    /// `ele`: metres above mean sea level, -100000...100000.
    package var elevation: Double?
    /// `time`, as it is written.
    package var time: String?
    /// `sat`: the number of satellites used.
    package var satellites: Double?
    /// `speed`, of GPX 1.0 and of extensions, in metres per second.
    package var speed: Double?
}
