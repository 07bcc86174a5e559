public import LocationModel
public import Varlink

/// What this app may have.
public enum GetAuthorization: LocationMethod {
    /// It takes none.
    public typealias Parameters = Nothing
    /// The authorization that holds.
    public struct Reply: Codable, Sendable, Equatable {
        /// What the app may have.
        public var authorization: Authorization

        /// That authorization.
        public init(authorization: Authorization) { self.authorization = authorization }
    }
}

/// Asks the user.
public enum RequestAuthorization: LocationMethod {
    /// The authorization that holds.
    public typealias Reply = GetAuthorization.Reply
    /// What is asked for.
    public struct Parameters: Codable, Sendable, Equatable {
        /// While in use, or always.
        public var level: RequestedLevel
        /// What the app wants it for, in its own words.
        public var reason: String?

        /// A request for that level.
        public init(level: RequestedLevel, reason: String? = nil) {
            self.level = level
            self.reason = reason
        }
    }
}

/// Asks for full accuracy for a while.
public enum RequestTemporaryFullAccuracy: LocationMethod {
    /// The authorization that holds.
    public typealias Reply = GetAuthorization.Reply
    /// What it is wanted for.
    public struct Parameters: Codable, Sendable, Equatable {
        /// A key of the app's manifest.
        public var purposeKey: String

        /// That purpose.
        public init(purposeKey: String) { self.purposeKey = purposeKey }
    }
}

/// Says whether the calling process is in the background.
public enum SetBackground: LocationMethod {
    /// It tells nothing.
    public typealias Reply = Nothing
    /// Where it is.
    public struct Parameters: Codable, Sendable, Equatable {
        /// A Boolean value indicating whether nobody looks at it.
        public var background: Bool

        /// That.
        public init(background: Bool) { self.background = background }
    }
}

/// What one subscription wants.
public struct Options: Codable, Sendable, Equatable {
    /// How hard the receivers work; best where it is absent.
    public var desiredAccuracy: DesiredAccuracy?
    /// Metres from the last delivered location.
    public var distanceFilter: Double?
    /// What kind of movement is followed; other where it is absent.
    public var activityType: ActivityType?
    /// A Boolean value indicating whether updates pause while the device is at rest; true where it is absent.
    public var pausesAutomatically: Bool?
    /// A Boolean value indicating whether the stream goes on in the background.
    public var allowsBackground: Bool?
    /// A Boolean value indicating whether the indicator shows the app as active while the stream goes on in the background, where the app may
    /// always have the location; of one that may have it while in use it always does.
    public var showsBackgroundIndicator: Bool?
    /// Seconds between two locations, at least.
    public var minimumInterval: Double?
    /// The number of locations after which the stream ends, at least 1.
    public var maximumUpdates: Int?
    /// Seconds after which the stream ends.
    public var duration: Double?

    /// No wish but the defaults.
    public init() {}
}

/// What happened on a stream.
public enum UpdateEvent: String, Codable, Sendable, CaseIterable {
    case location, paused, resumed, suspended, unsuspended, receiverLost, receiverFound, authorizationChanged
}

/// One event of a stream.
public struct Update: Codable, Sendable, Equatable {
    /// What happened.
    public var event: UpdateEvent
    /// With the events location and paused.
    public var location: Location?
    /// With the event authorizationChanged.
    public var authorization: Authorization?

    /// An event with what belongs to it.
    public init(event: UpdateEvent, location: Location? = nil, authorization: Authorization? = nil) {
        self.event = event
        self.location = location
        self.authorization = authorization
    }
}

/// A stream of locations and events.
public enum Subscribe: LocationMethod {
    /// True.
    public static let requiresMore = true
    /// What is wanted.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The wishes; the defaults where it is absent.
        public var options: Options?

        /// Those wishes.
        public init(options: Options? = nil) { self.options = options }
    }
    /// One event.
    public struct Reply: Codable, Sendable, Equatable {
        /// Absent only in the last reply of a stream that ends by its duration.
        public var update: Update?

        /// That event.
        public init(update: Update? = nil) { self.update = update }
    }
}

/// One location.
public enum GetLocation: LocationMethod {
    /// What is wanted.
    public struct Parameters: Codable, Sendable, Equatable {
        /// Best where it is absent.
        public var desiredAccuracy: DesiredAccuracy?
        /// Seconds; 10 where it is absent.
        public var timeout: Double?
        /// Seconds; 5 where it is absent.
        public var maximumAge: Double?

        /// Those wishes.
        public init(desiredAccuracy: DesiredAccuracy? = nil, timeout: Double? = nil, maximumAge: Double? = nil) {
            self.desiredAccuracy = desiredAccuracy
            self.timeout = timeout
            self.maximumAge = maximumAge
        }
    }
    /// The location.
    public struct Reply: Codable, Sendable, Equatable {
        /// The location.
        public var location: Location

        /// That location.
        public init(location: Location) { self.location = location }
    }
}
