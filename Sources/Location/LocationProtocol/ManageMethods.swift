public import LocationModel
public import Varlink

/// The method that replies with every app that has a decision or is connected.
public enum ListApps: ManageMethod {
    /// The user whose apps are listed.
    public typealias Parameters = UserScope
    /// The apps.
    public struct Reply: Codable, Sendable, Equatable {
        /// The apps, ordered by user and name.
        public var apps: [AppSummary]
        /// A Boolean value indicating whether the list continues in the next reply, or `nil` if not: see ``Page``.
        public var continued: Bool?

        /// Creates a reply.
        public init(apps: [AppSummary]) { self.apps = apps }
    }
}

/// The method that replies with the same list, and again whenever it changes.
public enum MonitorApps: ManageMethod {
    /// The user whose apps are listed.
    public typealias Parameters = UserScope
    /// The apps.
    public typealias Reply = ListApps.Reply
}

/// The parameters of a call that may name a user.
public protocol UserParameters {
    /// A user ID, or `nil` for the caller's own ID.
    var uid: Int? { get }
}

/// The parameters of a call that a program may make on its own, without asking the user for a password.
public protocol AuthenticationParameters {
    /// A Boolean value indicating whether polkit may ask the user to authenticate. `nil` means that it may.
    var allowInteractiveAuthentication: Bool? { get }
}

/// The parameters of a call that names an app.
public protocol AppParameters: UserParameters {
    /// The app, as `kind:name`.
    var app: String { get }
}

/// The user that a call is about.
public struct UserScope: UserParameters, AuthenticationParameters, Codable, Sendable, Equatable {
    /// A user ID, or `nil` for the caller's own ID. For an administrator, `nil` means all users in calls that list
    /// apps, sessions, uses or deliveries.
    public var uid: Int?
    /// A Boolean value indicating whether polkit may ask the user to authenticate. `nil` means that it may.
    public var allowInteractiveAuthentication: Bool?

    /// Creates the parameters of a call.
    public init(uid: Int? = nil, allowInteractiveAuthentication: Bool? = nil) {
        self.uid = uid
        self.allowInteractiveAuthentication = allowInteractiveAuthentication
    }
}

/// The app that a call is about.
public struct AppScope: AppParameters, Codable, Sendable, Equatable {
    /// The app, as `kind:name`.
    public var app: String
    /// A user ID, or `nil` for the caller's own ID.
    public var uid: Int?
    /// The revision of the decision that the user has seen, or `nil` for any revision.
    public var revision: Int?

    /// Creates the parameters of a call.
    public init(app: String, uid: Int? = nil, revision: Int? = nil) {
        self.app = app
        self.uid = uid
        self.revision = revision
    }
}

/// The method that allows an app to have the location.
public enum Grant: ManageMethod {
    /// The parameters of a call.
    public struct Parameters: AppParameters, Codable, Sendable, Equatable {
        /// The app, as `kind:name`.
        public var app: String
        /// A user ID, or `nil` for the caller's own ID.
        public var uid: Int?
        /// The level: while in use, or always.
        public var level: RequestedLevel
        /// The lifetime of the grant. Default: permanent.
        public var lifetime: GrantLifetime?
        /// The accuracy. Default: the one in the app's manifest, or full for an app without a manifest.
        public var accuracy: AccuracyAuthorization?
        /// The revision of the decision that the user has seen, or `nil` for any revision.
        public var revision: Int?

        /// Creates the parameters of a call.
        public init(
            app: String, uid: Int? = nil, level: RequestedLevel, lifetime: GrantLifetime? = nil,
            accuracy: AccuracyAuthorization? = nil, revision: Int? = nil
        ) {
            self.app = app
            self.uid = uid
            self.level = level
            self.lifetime = lifetime
            self.accuracy = accuracy
            self.revision = revision
        }
    }
    /// The reply.
    public struct Reply: Codable, Sendable, Equatable {
        /// The app after the decision.
        public var app: AppSummary

        /// Creates a reply.
        public init(app: AppSummary) { self.app = app }
    }
}

/// The method that changes the accuracy of an app's grant, and nothing else.
public enum SetAccuracy: ManageMethod {
    /// The app after the change.
    public typealias Reply = Grant.Reply
    /// The parameters of a call.
    public struct Parameters: AppParameters, Codable, Sendable, Equatable {
        /// The app, as `kind:name`.
        public var app: String
        /// A user ID, or `nil` for the caller's own ID.
        public var uid: Int?
        /// The new accuracy.
        public var accuracy: AccuracyAuthorization
        /// The revision of the decision that the user has seen.
        public var revision: Int

        /// Creates the parameters of a call.
        public init(app: String, uid: Int? = nil, accuracy: AccuracyAuthorization, revision: Int) {
            self.app = app
            self.uid = uid
            self.accuracy = accuracy
            self.revision = revision
        }
    }
}

/// The method that limits an app's grant to the location while in use, without the background.
public enum KeepWhileInUse: ManageMethod {
    /// The app after the change.
    public typealias Reply = Grant.Reply
    /// The parameters of a call.
    public struct Parameters: AppParameters, Codable, Sendable, Equatable {
        /// The app, as `kind:name`.
        public var app: String
        /// A user ID, or `nil` for the caller's own ID.
        public var uid: Int?
        /// The revision of the decision that the user has seen.
        public var revision: Int

        /// Creates the parameters of a call.
        public init(app: String, uid: Int? = nil, revision: Int) {
            self.app = app
            self.uid = uid
            self.revision = revision
        }
    }
}

/// The method that denies an app the location, whether or not the app has requested it.
public enum Deny: ManageMethod {
    /// The app to deny.
    public typealias Parameters = AppScope
    /// The app after the decision.
    public typealias Reply = Grant.Reply
}

/// The method that revokes a grant.
public enum Revoke: ManageMethod {
    /// The app whose grant is revoked.
    public typealias Parameters = AppScope
    /// The app after the decision.
    public typealias Reply = Grant.Reply
}

/// The method that deletes the decision about an app.
public enum Reset: ManageMethod {
    /// The app to reset.
    public typealias Parameters = AppScope
    /// The app without the decision.
    public typealias Reply = Grant.Reply
}

/// The method that replies with the switches of location services.
public enum GetServices: ManageMethod {
    /// The user whose switch is included.
    public typealias Parameters = UserScope
    /// The two switches.
    public struct Reply: Codable, Sendable, Equatable {
        /// A Boolean value indicating whether location services are on for the whole machine.
        public var machine: Bool
        /// A Boolean value indicating whether location services are on for this user.
        public var user: Bool
        /// `false` if the user's desktop has turned them off with its own switch, otherwise `nil`.
        public var desktop: Bool?

        /// Creates a reply.
        public init(machine: Bool, user: Bool, desktop: Bool? = nil) {
            self.machine = machine
            self.user = user
            self.desktop = desktop
        }
    }
}

/// The method that turns location services on or off.
public enum SetServices: ManageMethod {
    /// The switches after the change.
    public typealias Reply = GetServices.Reply
    /// The parameters of a call.
    public struct Parameters: UserParameters, Codable, Sendable, Equatable {
        /// A Boolean value indicating whether location services are turned on.
        public var enabled: Bool
        /// A user ID, or `nil` for the caller's own ID.
        public var uid: Int?
        /// A Boolean value indicating whether the machine's switch is changed, which only an administrator may do.
        public var machine: Bool?

        /// Creates the parameters of a call.
        public init(enabled: Bool, uid: Int? = nil, machine: Bool? = nil) {
            self.enabled = enabled
            self.uid = uid
            self.machine = machine
        }
    }
}

/// The method that replies with the open streams, and with the monitoring that outlasts them.
public enum ListSessions: ManageMethod {
    /// The user whose apps are listed.
    public typealias Parameters = UserScope
    /// The sessions.
    public struct Reply: Codable, Sendable, Equatable {
        /// The sessions, in order of their beginning.
        public var sessions: [SessionSummary]
        /// A Boolean value indicating whether the list continues in the next reply, or `nil` if not: see ``Page``.
        public var continued: Bool?

        /// Creates a reply.
        public init(sessions: [SessionSummary]) { self.sessions = sessions }
    }
}

/// The method that replies with the receivers and their states.
public enum ListReceivers: ManageMethod {
    /// The parameters of a call.
    public struct Parameters: AuthenticationParameters, Codable, Sendable, Equatable {
        /// A Boolean value indicating whether the reply is limited to the values for a caller who is neither an
        /// administrator nor in the group, for output that others read. Default: false.
        public var forOthers: Bool?
        /// A Boolean value indicating whether the caller needs all values, including the ones that change with the sky
        /// and with movement. This requires the permission `manage`. Default: false, which includes them only if the
        /// caller has that permission without being asked.
        public var details: Bool?
        /// A Boolean value indicating whether the user may be asked to authenticate. Default: true.
        public var allowInteractiveAuthentication: Bool?

        /// Creates the parameters of a call.
        public init(forOthers: Bool? = nil, details: Bool? = nil) {
            self.forOthers = forOthers
            self.details = details
        }
    }
    /// The receivers.
    public struct Reply: Codable, Sendable, Equatable {
        /// The receivers, in order of preference.
        public var receivers: [ReceiverSummary]
        /// The reason why apps that range beacons or monitor beacon regions find none, or `nil` if there is none.
        public var beacons: String?
        /// A Boolean value indicating whether the list continues in the next reply, or `nil` if not: see ``Page``.
        public var continued: Bool?

        /// Creates a reply.
        public init(receivers: [ReceiverSummary]) { self.receivers = receivers }
    }
}

/// The method that replies with the satellites in view of each receiver.
public enum ListSatellites: ManageMethod {
    /// No parameters.
    public typealias Parameters = Nothing
    /// The satellites.
    public struct Reply: Codable, Sendable, Equatable {
        /// The receivers with their satellites, in order of preference.
        public var receivers: [ReceiverSatellites]
        /// A Boolean value indicating whether the list continues in the next reply, or `nil` if not: see ``Page``.
        public var continued: Bool?

        /// Creates a reply.
        public init(receivers: [ReceiverSatellites]) { self.receivers = receivers }
    }
}

/// The method that puts the machine at a place or on a route, or beacons around it.
public enum Simulate: ManageMethod {
    /// An empty reply.
    public typealias Reply = Nothing
    /// A place, or a route, and beacons.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The latitude in degrees, together with `longitude`.
        public var latitude: Double?
        /// The longitude in degrees.
        public var longitude: Double?
        /// The text of a GPX file, instead of a place.
        public var route: String?
        /// The speed along the route, in metres per second.
        public var speed: Double?
        /// The beacons in range, at most 64.
        public var beacons: [BeaconSimulation]?

        /// Creates the parameters for neither.
        public init() {}

        /// Creates the parameters for a place.
        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }

        /// Creates the parameters for a route.
        public init(route: String, speed: Double? = nil) {
            self.route = route
            self.speed = speed
        }
    }
}

/// The method that ends the simulation.
public enum StopSimulation: ManageMethod {
    /// No parameters.
    public typealias Parameters = Nothing
    /// An empty reply.
    public typealias Reply = Nothing
}

/// The method that replies with the places of visits that this user's apps with authorization always received.
public enum ListPlaces: ManageMethod {
    /// The user whose places are listed.
    public typealias Parameters = UserScope
    /// The places.
    public struct Reply: Codable, Sendable, Equatable {
        /// The places, the most visited first.
        public var places: [Place]
        /// A Boolean value indicating whether the list continues in the next reply, or `nil` if not: see ``Page``.
        public var continued: Bool?

        /// Creates a reply.
        public init(places: [Place]) { self.places = places }
    }
}

/// The method that deletes the places of a user, or all data that are kept for one app.
public enum ClearPlaces: ManageMethod {
    /// The parameters of a call.
    public struct Parameters: UserParameters, Codable, Sendable, Equatable {
        /// The app, as `kind:name`, whose data are deleted except for the decision, or `nil` to delete the user's
        /// places.
        public var app: String?
        /// A user ID, or `nil` for the caller's own ID.
        public var uid: Int?

        /// Creates the parameters of a call.
        public init(app: String? = nil, uid: Int? = nil) {
            self.app = app
            self.uid = uid
        }
    }
    /// An empty reply.
    public typealias Reply = Nothing
}

/// The method that replies with the daemon's statistics.
public enum GetStatistics: ManageMethod {
    /// No parameters.
    public typealias Parameters = Nothing
    /// The figures that the caller may see.
    public struct Reply: Codable, Sendable, Equatable {
        /// The counts since the daemon started.
        public var statistics: Statistics

        /// Creates a reply.
        public init(statistics: Statistics) { self.statistics = statistics }
    }
}
