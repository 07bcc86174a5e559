internal import Glibc
public import LocationModel

/// The help for a receiver's first fix: the parts that are known well enough.
public struct FirstFixHelp: Sendable, Equatable {
    /// The time in UTC.
    public var time: Time?
    /// The place.
    public var position: Position?

    /// Creates help.
    public init(time: Time? = nil, position: Position? = nil) {
        self.time = time
        self.position = position
    }

    /// A time in UTC.
    public struct Time: Sendable, Equatable {
        /// The time.
        public var timestamp: Timestamp
        /// The greatest error, in seconds.
        public var accuracy: Int

        /// Creates a time.
        public init(_ timestamp: Timestamp, accuracy: Int) {
            self.timestamp = timestamp
            self.accuracy = accuracy
        }

        /// Year, month, day, hour, minute, second.
        var fields: [Int] {
            let (day, millisecond) = timestamp.dayAndMillisecond
            let (date, second) = (Timestamp.civil(daysSince1970: day), Int(millisecond) / 1000)
            return [
                Int(date.year), Int(date.month), Int(date.day), second / 3600, second / 60 % 60, second % 60,
            ]
        }
    }

    /// A place that says no more than the cell of 5 km.
    public struct Position: Sendable, Equatable {
        /// The latitude of the cell's centre, in degrees.
        public let latitude: Double
        /// The longitude of the cell's centre, in degrees.
        public let longitude: Double
        /// The altitude in metres, a multiple of 500.
        public let altitude: Int
        /// The greatest error, in metres.
        public let accuracy: Int

        /// The height of a cell, in degrees of latitude: 5 km.
        private static let cell = 0.045
        /// The least and the greatest error, in metres. A receiver that moved farther finds itself faster without help.
        private static let accuracies = 5000.0...300_000
        /// The speed that a receiver may have moved at since its last fix, in metres per second.
        private static let speed = 30.0

        /// Creates the position of a cell, or returns `nil` if the receiver may have left its surroundings.
        ///
        /// - Parameters:
        ///   - altitude: Metres above mean sea level, or `nil` if it is not known.
        ///   - age: The time since the receiver was there, in seconds.
        ///   - accuracy: The greatest error of the position, in metres.
        public init?(latitude: Double, longitude: Double, altitude: Double?, age: Double, accuracy: Double = 0) {
            let accuracy = Self.accuracies.lowerBound + age * Self.speed + accuracy
            guard accuracy <= Self.accuracies.upperBound, latitude.magnitude < 89 else { return nil }
            self.latitude = Self.centre(of: latitude, width: Self.cell)
            // A parallel has fewer cells the farther it is from the equator.
            let columns = (360 / Self.cell * cos(self.latitude * .pi / 180)).rounded(.down)
            self.longitude = Self.centre(of: longitude, width: 360 / max(1, columns))
            self.altitude = 500 * Int(max(-1, min(18, ((altitude ?? 0) / 500).rounded())))
            self.accuracy = Int(accuracy)
        }

        /// Creates the position of a location with reduced accuracy, or returns `nil` if that is too old, or newer than
        /// the clock.
        package init?(reduced location: Location, at now: Timestamp) {
            let age = now.seconds(since: location.timestamp)
            guard age >= 0 else { return nil }
            self.init(
                latitude: location.latitude, longitude: location.longitude, altitude: location.altitude, age: age,
                accuracy: location.horizontalAccuracy ?? 0)
        }

        private static func centre(of angle: Double, width: Double) -> Double {
            ((angle / width).rounded(.down) + 0.5) * width
        }
    }
}
