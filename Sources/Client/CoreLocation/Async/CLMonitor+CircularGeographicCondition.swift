/// A condition that a ``CLMonitor`` can monitor.
public protocol CLCondition: Decodable, Encodable, Sendable {}

extension CLMonitor {
    /// A condition that is satisfied while the device is inside a circle on the ground.
    public struct CircularGeographicCondition: CLCondition, Sendable {
        /// The center in degrees.
        public let center: CLLocationCoordinate2D
        /// The radius in metres.
        public let radius: CLLocationDistance

        /// Creates a condition for a circle.
        ///
        /// - Parameters:
        ///   - center: The center in degrees.
        ///   - radius: The radius in metres.
        public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
            self.center = center
            self.radius = radius
        }

        private enum CodingKeys: String, CodingKey {
            case latitude, longitude, radius
        }

        /// Decodes a condition. Throws `DecodingError` if a number is missing.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            center = CLLocationCoordinate2D(
                latitude: try values.decode(Double.self, forKey: .latitude),
                longitude: try values.decode(Double.self, forKey: .longitude))
            radius = try values.decode(Double.self, forKey: .radius)
        }

        /// Encodes `latitude`, `longitude` and `radius`.
        public func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(center.latitude, forKey: .latitude)
            try values.encode(center.longitude, forKey: .longitude)
            try values.encode(radius, forKey: .radius)
        }
    }
}
