public import LocationModel

/// The lifetime of a grant.
public enum GrantLifetime: String, Codable, Sendable, CaseIterable {
    case permanent, once, untilTomorrow
}

/// A decision about an app, as shown to its user.
public struct DecisionSummary: Codable, Sendable, Equatable {
    /// The level of access.
    public enum Level: String, Codable, Sendable, CaseIterable {
        case denied, whenInUse
        /// The app sees `authorizedAlways`. The user is asked again before the app receives, or has recorded, anything
        /// in the background.
        case provisionalAlways
        case always
    }

    /// The level of access.
    public var level: Level
    /// The accuracy that was granted.
    public var accuracy: AccuracyAuthorization
    /// The lifetime of the decision.
    public var lifetime: GrantLifetime
    /// The time when the decision ends.
    public var until: Timestamp?
    /// A Boolean value indicating whether the app has full accuracy for now, although it was granted reduced accuracy.
    public var temporarilyFull: Bool

    /// Creates a decision.
    public init(
        level: Level, accuracy: AccuracyAuthorization = .full, lifetime: GrantLifetime = .permanent,
        until: Timestamp? = nil, temporarilyFull: Bool = false
    ) {
        self.level = level
        self.accuracy = accuracy
        self.lifetime = lifetime
        self.until = until
        self.temporarilyFull = temporarilyFull
    }

    /// A Boolean value indicating whether the decision grants the app any access.
    public var grants: Bool { level != .denied }
}

/// An app, as shown to its user.
public struct AppSummary: Codable, Sendable, Equatable {
    /// The app, as `kind:name`.
    public var app: String
    /// The ID of the user who runs the app.
    public var uid: Int
    /// The degree to which the app's identity resists impersonation.
    public var strength: AppIdentity.Strength
    /// The authorization status as the app sees it: `denied` while location services are off.
    public var status: AuthorizationStatus
    /// The accuracy as the app sees it.
    public var accuracy: AccuracyAuthorization
    /// A Boolean value indicating whether location services are on for the app's user.
    public var servicesEnabled: Bool
    /// The decision about the app, or `nil` without a decision.
    public var decision: DecisionSummary?
    /// A number that changes with each change of the decision, and with a restart.
    public var revision: Int
    /// The level of the app's open request.
    public var requested: RequestedLevel?
    /// The reason for the request, in the app's own words.
    public var reason: String?
    /// The name from the app's manifest.
    public var displayName: String?
    /// The number of the app's connections.
    public var connections: Int
    /// The number of the app's subscriptions.
    public var sessions: Int
    /// The protocols through which the app is connected, such as `gpsd`, or `nil` if it is not.
    public var fronts: [String]?

    /// The status that was decided for the app, regardless of whether location services are on.
    public var decided: AuthorizationStatus {
        if status == .restricted { return .restricted }
        return switch decision?.level {
        case nil: .notDetermined
        case .denied: .denied
        case .whenInUse: .authorizedWhenInUse
        case .provisionalAlways, .always: .authorizedAlways
        }
    }

    /// Creates the summary of an app without connections and requests.
    public init(key: AppKey, authorization: Authorization, decision: DecisionSummary? = nil, revision: Int = 1) {
        app = key.app.description
        uid = Int(key.uid)
        strength = key.app.strength
        status = authorization.status
        accuracy = authorization.accuracy
        servicesEnabled = authorization.servicesEnabled
        self.decision = decision
        self.revision = revision
        connections = 0
        sessions = 0
    }
}

/// The state of a session.
public enum SessionState: String, Codable, Sendable, CaseIterable {
    case active, paused, suspended, waiting
}

/// A stream of an app, or monitoring that outlasts the stream.
public struct SessionSummary: Codable, Sendable, Equatable {
    /// The app, as `kind:name`.
    public var app: String
    /// The ID of the user who runs the app.
    public var uid: Int
    /// The ID of the process that opened the stream, or `nil` if the app is not connected.
    public var pid: Int?
    /// The protocol of the stream's connection, such as `gpsd`, or `nil` if the app is not connected.
    public var front: String?
    /// The method that began the session.
    public var method: String
    /// The state of the session.
    public var state: SessionState
    /// A Boolean value indicating whether the session continues while the app is not in use.
    public var background = false
    /// The accuracy that the app requested.
    public var desiredAccuracy: DesiredAccuracy?
    /// The distance from the last delivered location, in metres.
    public var distanceFilter: Double?
    /// The minimum time between two locations, in seconds.
    public var minimumInterval: Double?
    /// The identifier of the monitored region.
    public var region: String?
    /// The path of the socket that starts the app.
    public var wake: String?
    /// The time when the session began.
    public var since: Timestamp
    /// The number of locations and events sent, or `nil` for callers without management rights.
    public var delivered: Int? = 0
    /// The number of locations that were replaced by newer ones because the app did not read, or `nil` for callers
    /// without management rights.
    public var replaced: Int? = 0

    /// Creates a session that has not sent anything.
    public init(key: AppKey, pid: Int?, method: String, state: SessionState, since: Timestamp) {
        app = key.app.description
        uid = Int(key.uid)
        self.pid = pid
        self.method = method
        self.state = state
        self.since = since
    }
}

/// A place that was visited while an app with authorization always monitored visits.
public struct Place: Codable, Sendable, Equatable {
    /// The latitude in degrees, WGS 84.
    public var latitude: Double
    /// The longitude in degrees, WGS 84.
    public var longitude: Double
    /// The number of visits.
    public var visits: Int
    /// The time of the last arrival.
    public var lastVisit: Timestamp

    /// Creates a place.
    public init(latitude: Double, longitude: Double, visits: Int, lastVisit: Timestamp) {
        self.latitude = latitude
        self.longitude = longitude
        self.visits = visits
        self.lastVisit = lastVisit
    }
}

/// The daemon's counts since it started. Users other than administrators see the connections and subscriptions of their
/// own apps, and none of the other counts.
public struct Statistics: Codable, Sendable, Equatable {
    /// The version of the daemon.
    public var version: String
    /// The time since the daemon started, in seconds.
    public var uptime: Double = 0
    /// The number of open connections of apps.
    public var connections = 0
    /// The number of open subscriptions.
    public var sessions = 0
    /// The number of fixes from all receivers.
    public var fixes: Int?
    /// The number of encoded updates. An update for many apps is encoded once.
    public var encoded: Int?
    /// The number of updates sent.
    public var delivered: Int?
    /// The number of updates that were replaced by newer ones.
    public var replaced: Int?
    /// The number of refused connections and calls.
    public var refused: Int?
    /// The time that is passed on to chrony, or `nil` if no time is passed on.
    public var time: TimeStatistics?
    /// The number of changes that could not be written to the disk.
    public var failedWrites: Int?
    /// The reason why the radio surroundings do not show whether the machine moves, for users. `nil` if they do, or if
    /// no app needs that now.
    public var surroundings: String?

    /// Creates statistics without any counts.
    public init(version: String) { self.version = version }
}

/// The receiver's time that is passed on to chrony.
public struct TimeStatistics: Codable, Sendable, Equatable {
    /// The path of chronyd's socket.
    public var socket: String
    /// The number of samples that were sent to the socket.
    public var samples: Int
    /// The reason for the lack of samples, for users. `nil` if samples are sent or no receiver has had a fix.
    public var failure: String?
    /// The time from the moment of an epoch to its first byte, as measured by pulses, in seconds.
    public var delay: Double?
    /// The variation of that time (68 %), in seconds, known after 32 epochs.
    public var spread: Double?

    /// Creates statistics with nothing but these values.
    public init(socket: String, samples: Int = 0) {
        self.socket = socket
        self.samples = samples
    }
}
