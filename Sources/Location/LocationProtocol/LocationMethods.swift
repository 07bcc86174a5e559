internal import FoundationEssentials
public import LocationModel
public import Varlink

/// The method that replies with the app's authorization.
public enum GetAuthorization: LocationMethod {
    /// No parameters.
    public typealias Parameters = Nothing
    /// The reply.
    public struct Reply: Codable, Sendable, Equatable {
        /// The app's authorization.
        public var authorization: Authorization

        /// Creates a reply.
        public init(authorization: Authorization) { self.authorization = authorization }
    }
}

/// The method that prompts the user for an authorization.
public enum RequestAuthorization: LocationMethod {
    /// The reply.
    public struct Reply: Codable, Sendable, Equatable {
        /// The app's authorization.
        public var authorization: Authorization
        /// A Boolean value indicating whether an agent shows the prompt. `nil` except while the request waits for its
        /// answer. Without an agent, the user is not asked until one is started.
        public var hasAgent: Bool?

        /// Creates a reply.
        public init(authorization: Authorization, hasAgent: Bool? = nil) {
            self.authorization = authorization
            self.hasAgent = hasAgent
        }
    }
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The level: while in use, or always.
        public var level: RequestedLevel
        /// The purpose of the location, in the app's own words.
        public var reason: String?

        /// Creates the parameters of a call.
        public init(level: RequestedLevel, reason: String? = nil) {
            self.level = level
            self.reason = reason
        }
    }
}

/// The method that prompts the user for temporary full accuracy.
public enum RequestTemporaryFullAccuracy: LocationMethod {
    /// The reply.
    public typealias Reply = RequestAuthorization.Reply
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The purpose's key in the app's manifest.
        public var purposeKey: String

        /// Creates the parameters of a call.
        public init(purposeKey: String) { self.purposeKey = purposeKey }
    }
}

/// The method that declares whether the calling process is in the background.
public enum SetBackground: LocationMethod {
    /// An empty reply.
    public typealias Reply = Nothing
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// A Boolean value indicating whether the process is in the background, where the user does not see it.
        public var background: Bool

        /// Creates the parameters of a call.
        public init(background: Bool) { self.background = background }
    }
}

/// The options of a subscription.
public struct Options: Codable, Sendable, Equatable {
    /// The accuracy that the receivers aim for. Default: best.
    public var desiredAccuracy: DesiredAccuracy?
    /// The distance from the last delivered location, in metres.
    public var distanceFilter: Double?
    /// The kind of movement. Default: other.
    public var activityType: ActivityType?
    /// A Boolean value indicating whether updates pause while the device is stationary. Default: true.
    public var pausesAutomatically: Bool?
    /// A Boolean value indicating whether the subscription continues in the background.
    public var allowsBackground: Bool?
    /// A Boolean value indicating whether the indicator shows an app with authorization `always` as active while the
    /// subscription continues in the background. An app with authorization `whenInUse` is always shown.
    public var showsBackgroundIndicator: Bool?
    /// The minimum time between two locations, in seconds.
    public var minimumInterval: Double?
    /// The number of locations after which the subscription ends, at least 1.
    public var maximumUpdates: Int?
    /// The time after which the subscription ends, in seconds.
    public var duration: Double?

    /// Creates the default options.
    public init() {}
}

/// The kind of an event of a subscription.
public enum UpdateEvent: String, Codable, Sendable, CaseIterable {
    case location, paused, resumed, suspended, unsuspended, receiverLost, receiverFound, authorizationChanged
}

/// An event of a subscription.
public struct Update: Codable, Sendable, Equatable {
    /// The kind of the event.
    public var event: UpdateEvent
    /// The location, with the events `location` and `paused`.
    public var location: Location?
    /// The authorization, with the event `authorizationChanged`.
    public var authorization: Authorization?

    /// Creates an event with the values that belong to it.
    public init(event: UpdateEvent, location: Location? = nil, authorization: Authorization? = nil) {
        self.event = event
        self.location = location
        self.authorization = authorization
    }
}

/// The method that opens a subscription to locations and events.
public enum Subscribe: LocationMethod {
    /// A Boolean value indicating that the method must be called with `more`.
    public static let requiresMore = true
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The options, or `nil` for the default options.
        public var options: Options?

        /// Creates the parameters of a call.
        public init(options: Options? = nil) { self.options = options }
    }
    /// One event.
    public struct Reply: Codable, Sendable, Equatable {
        /// The event. It is absent only in the last reply of a subscription that ends by its duration.
        public var update: Update?

        /// Creates a reply.
        public init(update: Update? = nil) { self.update = update }
    }
}

/// The method that replies with one location.
public enum GetLocation: LocationMethod {
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The accuracy that the location should have. Default: best.
        public var desiredAccuracy: DesiredAccuracy?
        /// The maximum time to wait for such a location, in seconds. Default: 10.
        public var timeout: Double?
        /// The maximum age of a location that is already known, in seconds. Default: 5.
        public var maximumAge: Double?

        /// Creates the parameters of a call.
        public init(desiredAccuracy: DesiredAccuracy? = nil, timeout: Double? = nil, maximumAge: Double? = nil) {
            self.desiredAccuracy = desiredAccuracy
            self.timeout = timeout
            self.maximumAge = maximumAge
        }
    }
    /// The reply.
    public struct Reply: Codable, Sendable, Equatable {
        /// The location.
        public var location: Location

        /// Creates a reply.
        public init(location: Location) { self.location = location }
    }
}

/// The method that replies with the bytes that receivers send.
public enum Record: LocationMethod {
    /// A Boolean value indicating that the method must be called with `more`.
    public static let requiresMore = true
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The name of the receiver to record, or `nil` for all receivers.
        public var name: String?

        /// Creates the parameters of a call.
        public init(name: String? = nil) { self.name = name }
    }
    /// Some of the bytes.
    public struct Reply: Codable, Sendable, Equatable {
        /// The name of the receiver that sent the bytes.
        public var receiver: String
        /// The time since the first reply, in milliseconds.
        public var milliseconds: Int
        /// The bytes in base64.
        public var bytes: String

        /// Creates a reply.
        public init(receiver: String, milliseconds: Int, bytes: some Sequence<UInt8>) {
            self.receiver = receiver
            self.milliseconds = milliseconds
            self.bytes = Data(bytes).base64EncodedString()
        }

        /// The bytes, or `nil` if they are not in base64.
        public var decodedBytes: [UInt8]? { Data(base64Encoded: bytes).map { Array($0) } }
    }
}

/// The method that replies with the socket of the machine's geocoder.
public enum GetGeocoder: LocationMethod {
    /// No parameters.
    public typealias Parameters = Nothing
    /// The reply.
    public struct Reply: Codable, Sendable, Equatable {
        /// The path of the socket, or `nil` if the administrator has chosen none.
        public var socket: String?

        /// Creates a reply.
        public init(socket: String?) { self.socket = socket }
    }
}
