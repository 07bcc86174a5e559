internal import LocationModel

/// The limits of movements and of receivers' errors: how far a place may change at most.
///
/// They are wide. A false alarm costs more than a missed one: users who are warned for nothing stop listening.
enum Movement {
    /// The greatest speed in metres per second. Commercially available receivers stop above 515 m/s (the limit of the
    /// Missile Technology Control Regime).
    static let greatestSpeed = 600.0
    /// The greatest acceleration in metres per second squared, twice the acceleration of gravity.
    static let greatestAcceleration = 20.0
    /// The greatest distance in metres between two good fixes of one place, for example between high buildings.
    static let tolerance = 300.0
    /// The greatest distance between two fixes of one place, as a multiple of their accuracies.
    static let toleratedErrors = 5.0
    /// The accuracy in metres of a fix that does not state one.
    static let assumedAccuracy = 100.0

    /// Returns the greatest distance in metres between two fixes of one receiver, `seconds` apart.
    static func greatestDistance(from a: Place, to b: Place, seconds: Double) -> Double {
        var reach = greatestSpeed * seconds
        if let before = a.speed, let after = b.speed {
            reach = min(reach, 1.5 * max(before, after) * seconds + greatestAcceleration / 2 * seconds * seconds)
        }
        return errors(a, b) + reach
    }

    /// Returns the greatest distance in metres between two fixes of one place.
    static func errors(_ a: Place, _ b: Place) -> Double { max(tolerance, toleratedErrors * (a.accuracy + b.accuracy)) }

    /// A place, as stated by a fix.
    struct Place: Sendable, Equatable {
        let latitude: Double
        let longitude: Double
        /// The horizontal accuracy in metres.
        let accuracy: Double
        /// The speed in metres per second.
        let speed: Double?

        init(_ location: borrowing Location) {
            latitude = location.latitude
            longitude = location.longitude
            accuracy = location.horizontalAccuracy ?? assumedAccuracy
            speed = location.speed
        }

        /// Returns whether `other` is so near that the distance is certainly below ``Movement/tolerance``. This is
        /// nearly always so, and saves computing a geodesic: 0.0019 degrees in both directions are at most 300 m.
        func isNear(_ other: Place) -> Bool {
            abs(latitude - other.latitude) < 0.0019 && abs(longitude - other.longitude) < 0.0019
        }

        /// Returns whether `other` is farther away than `distance`, in metres, which is at least
        /// ``Movement/tolerance``.
        func isFarther(than distance: Double, from other: Place) -> Bool {
            !isNear(other)
                && Ellipsoid.wgs84.distance(
                    fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude,
                    longitude: other.longitude) > distance
        }
    }
}
