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

/// The state of a receiver.
public enum ReceiverStatus: String, Codable, Sendable, CaseIterable {
    case stopped, resting, connecting, searching, running, lost, ended
}

/// A receiver, as shown to its user.
public struct ReceiverSummary: Codable, Sendable, Equatable {
    /// The name of the receiver. Its locations contain this name.
    public var name: String
    /// The specification, as on the daemon's command line.
    public var specification: String
    /// The device node of the serial port, such as `/dev/ttyACM0`, or `nil` if there is no port or it is not plugged
    /// in.
    public var port: String?
    /// The state of the receiver.
    public var state: ReceiverStatus
    /// The baud rate of the serial port, in bit/s, or `nil` if the port is closed, being detected, or absent.
    public var baudRate: Int?
    /// Data bits, parity and stop bits of the serial port, as in `8N1`. `nil` together with `baudRate`.
    public var framing: String?
    /// A Boolean value indicating whether the serial settings are being detected, or `nil` if no serial port is open.
    public var detecting: Bool?
    /// A Boolean value indicating whether the receiver's fixes are delivered.
    public var inUse = false
    /// The reason for delivering them.
    public var choice: ReceiverChoiceReason?
    /// The time between the required fixes, in seconds. `nil` if all or no fixes are required, and for callers other
    /// than administrators.
    public var interval: Double?
    /// The reason why the receiver was lost.
    public var message: String?
    /// The number of fixes since the daemon started. For callers other than administrators, it excludes fixes that
    /// would reveal the distance to a monitored region. It is `nil` for callers without management rights, like all
    /// values that change with the sky or with movement.
    public var fixes: Int?
    /// The time since the last fix, in seconds.
    public var fixAge: Double?
    /// The lead of this machine's clock over the receiver's time at the last fix, in seconds. Negative if the clock is
    /// behind.
    public var clockOffset: Double?
    /// The horizontal accuracy of the last fix, in metres, 68 %.
    public var horizontalAccuracy: Double?
    /// The number of satellites used in the last fix.
    public var satellitesUsed: Int?
    /// The horizontal dilution of precision of the last fix.
    public var horizontalDilution: Double?
    /// A Boolean value indicating whether the receiver has reported a heading, or `nil` for callers without management
    /// rights.
    public var compass: Bool?
    /// The share of a recording that has been played, 0...1, or `nil` if the receiver is not a recording or does not
    /// play.
    public var progress: Double?
    /// The interference that the receiver noticed last, or `nil` if it does not report it.
    public var jamming: JammingReport?
    /// The receiver's last judgement about spoofing, or `nil` if it does not report it.
    public var spoofing: SpoofingReport?
    /// The last limits of a position's error that the receiver guarantees, or `nil` if it guarantees none.
    public var protectionLevel: ProtectionLevelReport?
    /// The proofs of authentic signals that the receiver reported last, or `nil` if there are none.
    public var authentication: AuthenticationReport?
    /// The state of the receiver's sensors of motion, or `nil` if it does not report it.
    public var deadReckoning: DeadReckoningReport?
    /// The reasons to doubt the receiver's location, or `nil` if there are none.
    public var doubts: FixDoubts?
    /// The kind of input, which explains why there is a location or not. `nil` if the receiver is closed or the input
    /// is not known yet.
    public var condition: ReceiverCondition?
    /// The name of the protocol or the messages that arrive, if none of them can be read or has a position.
    public var protocolName: String?
    /// The number of satellites in view while there is no fix.
    public var satellitesInView: Int?
    /// The time between two reports of the receiver in seconds, if it is 2 or more.
    public var reportInterval: Double?
    /// The name of the datum of the receiver's coordinates, or `nil` if it is WGS 84.
    public var datum: String?
    /// The input that was not used, by reason, with the largest count first. `nil` if all input was used.
    public var dropped: [DroppedInput]?
    /// `true` if the receiver's sentences have no checksums and are read nevertheless, otherwise `nil`.
    public var sendsNoChecksums: Bool?
    /// `true` if another device on the same wire sends its speed and course, otherwise `nil`.
    public var hasMotionOfAnotherDevice: Bool?
    /// `true` if the receiver reports that mean sea level and the ellipsoid of WGS 84 are 0 m apart, although they are
    /// more than 10 m apart at its place, otherwise `nil`.
    public var sendsZeroSeparation: Bool?
    /// The number of epochs since the port was opened, with or without a fix. `nil` if the receiver's sentences are not
    /// decoded here, or if its state is not revealed.
    public var epochs: Int?
    /// The number of times that the receiver was lost, or `nil` if its state is not revealed.
    public var losses: Int?
    /// The charge of the receiver's battery in percent. `nil` unless it is a connected Bluetooth device and BlueZ knows
    /// the charge.
    public var battery: Int?
    /// The receiver's answer to the question who it is, or `nil` if it was not asked or has not answered.
    public var identity: ReceiverIdentityReport?
    /// The outcomes of the settings in its profile, or `nil` if there are none.
    public var settings: [ReceiverSettingReport]?
    /// The times to the first fix after the last ten starts, the latest last, or `nil` if there are none.
    public var firstFixes: [FirstFixReport]?
    /// The corrections that it has got since its port was opened, or `nil` if there were none.
    public var corrections: CorrectionsReport?
    /// The reason why the receiver is closed if that is because the machine has not moved, otherwise `nil`. For
    /// administrators only.
    public var stillness: StillnessReport?

    /// Creates the summary of a receiver that has not produced a fix.
    public init(name: String, specification: String, state: ReceiverStatus, fixes: Int?) {
        self.name = name
        self.specification = specification
        self.state = state
        self.fixes = fixes
    }

    private enum CodingKeys: String, CodingKey {
        case name, specification, port, state, baudRate, framing, detecting, inUse, choice, interval, message, fixes,
            fixAge, clockOffset, horizontalAccuracy, satellitesUsed, horizontalDilution, compass, progress, jamming,
            spoofing
        case doubts = "integrity"
        case condition, protocolName, satellitesInView, reportInterval, datum, dropped, sendsNoChecksums,
            hasMotionOfAnotherDevice, sendsZeroSeparation, epochs, losses, battery, protectionLevel, authentication,
            deadReckoning, identity, settings, firstFixes, corrections, stillness
    }
}

/// The radio surroundings of a machine that has not moved.
public struct StillnessReport: Codable, Sendable, Equatable {
    /// The number of access points, by router, and wired gateways that show it.
    public var networks: Int
    /// The time since the last fix at the place, in seconds.
    public var seconds: Double
    /// The time until a fix checks the place, in seconds.
    public var nextCheck: Double

    /// Creates a report.
    public init(networks: Int, seconds: Double, nextCheck: Double) {
        self.networks = networks
        self.seconds = seconds
        self.nextCheck = nextCheck
    }
}

/// The interference that a receiver has noticed at its antenna.
public struct JammingReport: Codable, Sendable, Equatable {
    /// The judgement of a receiver's interference monitor.
    public enum Level: String, Codable, Sendable, CaseIterable {
        /// No significant interference.
        case none
        /// Interference, and a fix nevertheless.
        case warning
        /// Interference, and no fix.
        case critical
    }

    /// The judgement of the interference monitor, or `nil` if it is switched off or does not know yet.
    public var level: Level?
    /// The strength of a continuous wave beside the satellites' signals, from 0 (none) to 255 (strong), or `nil` if it
    /// is not known.
    public var indicator: Int?

    /// Creates a report.
    public init(level: Level?, indicator: Int?) {
        self.level = level
        self.indicator = indicator
    }

    /// A Boolean value indicating whether the receiver's monitor has found interference.
    public var isJammed: Bool { level == .warning || level == .critical }
}

/// A receiver's judgement about signals that imitate a satellite's.
public enum SpoofingReport: String, Codable, Sendable, CaseIterable {
    /// No sign of false signals.
    case none
    /// A sign of false signals.
    case indicated
    /// Several signs of false signals, or certainty.
    case affirmed
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

/// The satellites in view of one receiver.
public struct ReceiverSatellites: Codable, Sendable, Equatable {
    /// The name of the receiver.
    public var receiver: String
    /// The satellites in view, each of them once.
    public var satellites: [Satellite]

    /// Creates a list of a receiver's satellites.
    public init(receiver: String, satellites: [Satellite]) {
        self.receiver = receiver
        self.satellites = satellites
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
