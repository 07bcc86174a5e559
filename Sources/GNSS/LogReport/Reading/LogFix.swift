internal import NMEA

/// One fix of a log. Values that the log does not have are `nil`.
package struct LogFix: Sendable, Equatable {
    /// Milliseconds on the log's own clock, or `nil` if the log has no time for it. The clock shows milliseconds since
    /// 1970, less ``LogReader/dateOffset``.
    package var time: Int64?
    /// Degrees north of the equator, -90...90.
    package var latitude: Double
    /// Degrees east of Greenwich, -180...180.
    package var longitude: Double
    /// Metres, 68 %.
    package var horizontalAccuracy: Double?
    /// Metres above mean sea level.
    package var altitude: Double?
    /// Metres per second.
    package var speed: Double?
    package var satellitesUsed: Int?
    package var simulated = false
    /// A Boolean value indicating whether the way from the fix before was not travelled, or not recorded.
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
