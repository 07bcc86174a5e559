internal import NMEA

/// One fix of a log. Values that the log lacks are `nil`.
package struct LogFix: Sendable, Equatable {
    /// The time in milliseconds on the log's own clock, or `nil` if the log has no time for it. The clock shows
    /// milliseconds since 1970, minus ``LogReader/dateOffset``.
    package var time: Int64?
    /// The latitude in degrees north of the equator, -90...90.
    package var latitude: Double
    /// The longitude in degrees east of Greenwich, -180...180.
    package var longitude: Double
    /// The horizontal accuracy in metres, 68 %.
    package var horizontalAccuracy: Double?
    /// The altitude in metres above mean sea level.
    package var altitude: Double?
    /// The speed in metres per second.
    package var speed: Double?
    package var satellitesUsed: Int?
    package var simulated = false
    /// A Boolean value indicating whether the way from the previous fix was not travelled, or not recorded.
    package var isStart = false

    package init(time: Int64?, latitude: Double, longitude: Double) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
    }

    init(_ epoch: Epoch, time: Int64?) {
        self.init(time: time, latitude: epoch.latitude, longitude: epoch.longitude)
        horizontalAccuracy = epoch.horizontalAccuracy
        altitude = epoch.altitude
        speed = epoch.speed
        satellitesUsed = epoch.satellitesUsed
        simulated = epoch.simulated
    }
}
