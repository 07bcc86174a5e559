/// A point of a GPX file: a point of a track or a route, or a waypoint.
package struct GPXPoint: Sendable, Equatable {
    /// The element that contains a point.
    package enum Kind: Sendable {
        case track, route, waypoint
    }

    package var kind: Kind
    /// A Boolean value indicating whether the point is the first one of a track segment: the way from the previous
    /// point was not travelled, or not recorded.
    package var isStart = false
    /// The latitude in degrees north of the equator, -90...90.
    package var latitude: Double
    /// The longitude in degrees east of Greenwich, -180...180.
    package var longitude: Double
    /// `ele`: the altitude in metres above mean sea level, -100000...100000.
    package var elevation: Double?
    /// `time`, as it is written in the file.
    package var time: String?
    /// `sat`: the number of satellites used.
    package var satellites: Double?
    /// `speed` of GPX 1.0 and of extensions, in metres per second.
    package var speed: Double?
}

/// Counts of the parts of a GPX file that were skipped as unreadable.
package struct GPXSkipped: Sendable, Equatable {
    /// Points whose latitude or longitude is missing, not a number or out of range. Some apps mark pauses with a
    /// latitude of 100.
    package var points: UInt64 = 0
    /// Elevations, speeds and numbers of satellites that are not numbers or out of range, and empty times.
    package var values: UInt64 = 0
    /// The first of these points and values, for messages.
    package var first: GPXFailure?

    /// Creates counts of zero.
    package init() {}
}

/// A problem in a GPX file.
package struct GPXFailure: Error, Equatable {
    /// The line number, counted from 1.
    package var line: Int
    package var message: String
}
