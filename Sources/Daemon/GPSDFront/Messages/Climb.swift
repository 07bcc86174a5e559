internal import LocationModel
internal import Receivers

/// The vertical speed, from two altitudes, as gpsd has it for receivers that do not report theirs.
struct Climb: Equatable {
    /// The vertical speed in metres per second, upwards.
    let metersPerSecond: Double
    /// The half width of its 95 % interval in metres per second: that of the two altitudes, added, per second. `nil` if
    /// an altitude's is not known.
    let error: Double?

    /// Returns the climb between two locations of one receiver at most ten seconds apart, or `nil` if it cannot be
    /// known.
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
