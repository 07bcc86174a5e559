public import LocationModel

/// How long a grant holds.
public enum GrantLifetime: String, Codable, Sendable, CaseIterable {
    case permanent, once, untilTomorrow
}

/// An app as its user sees it.
public struct AppSummary: Codable, Sendable, Equatable {
    /// `kind:name`.
    public var app: String
    /// The user that it runs as.
    public var uid: Int
    /// How hard it is for another process to take its identity on.
    public var strength: AppIdentity.Strength
    /// What it may have.
    public var status: AuthorizationStatus
    /// How exact that is.
    public var accuracy: AccuracyAuthorization
    /// How long it holds; absent where nobody has decided.
    public var lifetime: GrantLifetime?
    /// When the decision ends.
    public var until: Timestamp?
    /// What it asks for and nobody has answered.
    public var requested: RequestedLevel?
    /// The app's own words.
    public var reason: String?
    /// From its manifest.
    public var displayName: String?
    /// A Boolean value indicating whether it has full accuracy for now, although it was granted reduced.
    public var temporarilyFull = false
    /// How many connections it has.
    public var connections: Int
    /// How many streams it has.
    public var sessions: Int

    /// An app that has nothing and asks for nothing.
    public init(key: AppKey, authorization: Authorization) {
        app = key.app.description
        uid = Int(key.uid)
        strength = key.app.strength
        status = authorization.status
        accuracy = authorization.accuracy
        connections = 0
        sessions = 0
    }
}

/// What something that an app asked for is doing.
public enum SessionState: String, Codable, Sendable, CaseIterable {
    case active, paused, suspended, waiting
}

/// What an app has asked for and gets: a stream, or a monitoring that outlasts it.
public struct SessionSummary: Codable, Sendable, Equatable {
    /// `kind:name`.
    public var app: String
    /// The user that it runs as.
    public var uid: Int
    /// The process at the other end; absent where the app is not connected.
    public var pid: Int?
    /// The method that began it.
    public var method: String
    /// What it is doing.
    public var state: SessionState
    /// A Boolean value indicating whether it goes on while the app is not in use.
    public var background = false
    /// How accurate it wants to be.
    public var desiredAccuracy: DesiredAccuracy?
    /// Metres.
    public var distanceFilter: Double?
    /// Seconds.
    public var minimumInterval: Double?
    /// The identifier of the region that is monitored.
    public var region: String?
    /// The path of the socket that starts the app.
    public var wake: String?
    /// When it began.
    public var since: Timestamp
    /// Locations and events sent.
    public var delivered = 0
    /// Locations that a newer one replaced because the app did not read.
    public var replaced = 0

    /// Something that nothing was sent on yet.
    public init(key: AppKey, pid: Int?, method: String, state: SessionState, since: Timestamp) {
        app = key.app.description
        uid = Int(key.uid)
        self.pid = pid
        self.method = method
        self.state = state
        self.since = since
    }
}

/// What a receiver is doing.
public enum ReceiverStatus: String, Codable, Sendable, CaseIterable {
    case stopped, resting, connecting, searching, running, lost, ended
}

/// A receiver as its user sees it.
public struct ReceiverSummary: Codable, Sendable, Equatable {
    /// The name that its locations carry.
    public var name: String
    /// As on the daemon's command line.
    public var specification: String
    /// The node of its serial port, such as `/dev/ttyACM0`; absent where it has none, or is not plugged in.
    public var port: String?
    /// What it is doing.
    public var state: ReceiverStatus
    /// Bits per second of its serial line; absent while that is closed, or looked for, and where there is none.
    public var baudRate: Int?
    /// Data bits, parity and stop bits of its serial line, as in `8N1`; absent with `baudRate`.
    public var framing: String?
    /// A Boolean value indicating whether it is found out how its serial line is to be read; absent where there is none
    /// that is open.
    public var detecting: Bool?
    /// A Boolean value indicating whether its fixes are the ones that count.
    public var inUse = false
    /// Why they are.
    public var choice: ReceiverChoiceReason?
    /// Seconds between the fixes that are wanted; absent where all are, or none, and for who is not an administrator.
    public var interval: Double?
    /// Why it was lost.
    public var message: String?
    /// Fixes since the daemon started.
    public var fixes: Int
    /// Seconds since the last fix.
    public var fixAge: Double?
    /// Seconds that this machine's clock is ahead of the receiver's time, by the last fix; negative: behind.
    public var clockOffset: Double?
    /// Metres, 68 %, of the last fix.
    public var horizontalAccuracy: Double?
    /// Satellites used in the last fix.
    public var satellitesUsed: Int?
    /// Horizontal dilution of precision of the last fix.
    public var horizontalDilution: Double?
    /// A Boolean value indicating whether it has told a heading.
    public var compass = false

    /// A receiver in that state that has given nothing yet.
    public init(name: String, specification: String, state: ReceiverStatus, fixes: Int) {
        self.name = name
        self.specification = specification
        self.state = state
        self.fixes = fixes
    }
}

/// A place that was visited while an app monitored visits.
public struct Place: Codable, Sendable, Equatable {
    /// Degrees, WGS 84.
    public var latitude: Double
    /// Degrees, WGS 84.
    public var longitude: Double
    /// How often.
    public var visits: Int
    /// The last arrival.
    public var lastVisit: Timestamp

    /// A place with what is known of it.
    public init(latitude: Double, longitude: Double, visits: Int, lastVisit: Timestamp) {
        self.latitude = latitude
        self.longitude = longitude
        self.visits = visits
        self.lastVisit = lastVisit
    }
}

/// The satellites that one receiver sees.
public struct ReceiverSatellites: Codable, Sendable, Equatable {
    /// The receiver's name.
    public var receiver: String
    /// Every satellite in view, once.
    public var satellites: [Satellite]

    /// Those satellites of that receiver.
    public init(receiver: String, satellites: [Satellite]) {
        self.receiver = receiver
        self.satellites = satellites
    }
}

/// The daemon's counts since it started. A user who is not an administrator sees the connections and streams of its own
/// apps, and none of the other figures.
public struct Statistics: Codable, Sendable, Equatable {
    /// The daemon's version.
    public var version: String
    /// Seconds since it started.
    public var uptime: Double = 0
    /// Open connections of apps.
    public var connections = 0
    /// Open streams.
    public var sessions = 0
    /// Fixes from all receivers.
    public var fixes: Int?
    /// Updates made into bytes, once for all who get the same.
    public var encoded: Int?
    /// Updates sent.
    public var delivered: Int?
    /// Updates that a newer one replaced.
    public var replaced: Int?
    /// Connections and calls refused.
    public var refused: Int?

    /// Nothing counted yet.
    public init(version: String) { self.version = version }
}
