internal import LocationModel
internal import Receivers

/// The vertical speed, calculated from two altitudes, as gpsd does for receivers that do not report one.
struct Climb: Equatable {
    /// The vertical speed in metres per second, upwards.
    let metersPerSecond: Double
    /// Half the 95 % interval, in metres per second: the sum of the two altitudes' intervals, per second. `nil` if
    /// either is not known.
    let error: Double?

    /// Creates the climb between two locations of one receiver at most ten seconds apart. Returns `nil` if it cannot be
    /// determined.
    init?(from earlier: Location, to location: Location) {
        let seconds = location.timestamp.seconds(since: earlier.timestamp)
        guard location.receiver == earlier.receiver, seconds > 0, seconds <= 10,
            let difference = Self.difference(location.ellipsoidalAltitude, earlier.ellipsoidalAltitude)
                ?? Self.difference(location.altitude, earlier.altitude)
        else { return nil }
        metersPerSecond = difference / seconds
        let errors = [earlier, location].compactMap { ErrorConversion.interval($0.verticalAccuracy) }
        error = errors.count == 2 ? (errors[0] + errors[1]) / seconds : nil
    }

    private static func difference(_ altitude: Double?, _ earlier: Double?) -> Double? {
        guard let altitude, let earlier else { return nil }
        return altitude - earlier
    }
}
