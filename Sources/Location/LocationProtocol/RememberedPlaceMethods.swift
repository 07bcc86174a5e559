public import Varlink

/// The method that replies with the number of places that the machine remembers by the networks around them.
public enum GetRememberedPlaces: ManageMethod {
    /// No parameters.
    public typealias Parameters = Nothing
    /// The number and the last use.
    public struct Reply: Codable, Sendable, Equatable {
        /// The number of places, or `nil` if none are remembered.
        public var count: Int?
        /// The day when a place was used last, such as `2026-06-01`, or `nil` if there was none.
        public var lastUse: String?

        /// Creates a reply.
        public init(count: Int? = nil, lastUse: String? = nil) {
            self.count = count
            self.lastUse = lastUse
        }
    }
}

/// The method that forgets places that the machine remembers by the networks around them.
public enum ForgetRememberedPlaces: ManageMethod {
    /// The choice of places.
    public struct Parameters: Codable, Sendable, Equatable {
        /// `true` to forget only the places that the machine may be at now.
        public var here: Bool?

        /// Creates the parameters of a call.
        public init(here: Bool? = nil) { self.here = here }
    }
    /// The effect.
    public struct Reply: Codable, Sendable, Equatable {
        /// The number of forgotten places.
        public var count: Int

        /// Creates a reply.
        public init(count: Int) { self.count = count }
    }
}
