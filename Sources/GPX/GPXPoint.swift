/// A point of a GPX file: of a track, of a route, or a waypoint.
package struct GPXPoint: Sendable, Equatable {
    /// The element that a point is.
    package enum Kind: Sendable {
        case track, route, waypoint
    }

    package var kind: Kind
    /// A Boolean value indicating whether the point is the first one of a segment of a track: the way from the point
    /// before was not travelled, or not recorded.
    package var isStart = false
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
