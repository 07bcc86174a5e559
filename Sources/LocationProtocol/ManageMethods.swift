public import LocationModel
public import Varlink

/// Every app that was decided about, that is connected, or that waits for an answer.
public enum ListApps: ManageMethod {
    /// Whose.
    public typealias Parameters = UserScope
    /// The apps.
    public struct Reply: Codable, Sendable, Equatable {
        /// Ordered by user and name.
        public var apps: [AppSummary]
        /// True if the list goes on in the next reply: see ``Page``.
        public var continued: Bool?

        /// Those apps.
        public init(apps: [AppSummary]) { self.apps = apps }
    }
}

/// The parameters of a call that may name a user.
public protocol NamesUser {
    /// A user id; `nil` for the caller's own.
    var uid: Int? { get }
}

/// The parameters of a call that names an app.
public protocol NamesApp: NamesUser {
    /// `kind:name`.
    var app: String { get }
}

/// Whose apps are meant.
public struct UserScope: NamesUser, Codable, Sendable, Equatable {
    /// A user id; the caller's own where it is absent (all of them, where root only looks).
    public var uid: Int?

    /// That user.
    public init(uid: Int? = nil) { self.uid = uid }
}

/// Which app is meant.
public struct AppScope: NamesApp, Codable, Sendable, Equatable {
    /// `kind:name`.
    public var app: String
    /// A user id; the caller's own where it is absent.
    public var uid: Int?

    /// That app of that user.
    public init(app: String, uid: Int? = nil) {
        self.app = app
        self.uid = uid
    }
}

/// Allows an app to have the location.
public enum Grant: ManageMethod {
    /// What is granted.
    public struct Parameters: NamesApp, Codable, Sendable, Equatable {
        /// `kind:name`.
        public var app: String
        /// A user id; the caller's own where it is absent.
        public var uid: Int?
        /// While in use, or always.
        public var level: RequestedLevel
        /// Permanent where it is absent.
        public var lifetime: GrantLifetime?
        /// The accuracy. Default: as the app's manifest says; full for an app without a manifest.
        public var accuracy: AccuracyAuthorization?

        /// That much for that app.
        public init(
            app: String, uid: Int? = nil, level: RequestedLevel, lifetime: GrantLifetime? = nil,
            accuracy: AccuracyAuthorization? = nil
        ) {
            self.app = app
            self.uid = uid
            self.level = level
            self.lifetime = lifetime
            self.accuracy = accuracy
        }
    }
    /// What holds now.
    public struct Reply: Codable, Sendable, Equatable {
        /// The app, as it stands after the decision.
        public var app: AppSummary

        /// That app.
        public init(app: AppSummary) { self.app = app }
    }
}

/// Forbids an app the location, whether or not it has asked.
public enum Deny: ManageMethod {
    /// Which app.
    public typealias Parameters = AppScope
    /// What holds now.
    public typealias Reply = Grant.Reply
}

/// Takes back what was granted.
public enum Revoke: ManageMethod {
    /// Which app.
    public typealias Parameters = AppScope
    /// What holds now.
    public typealias Reply = Grant.Reply
}

/// Forgets what was decided.
public enum Reset: ManageMethod {
    /// Which app.
    public typealias Parameters = AppScope
    /// What holds now.
    public typealias Reply = Grant.Reply
}

/// Whether location services are on.
public enum GetServices: ManageMethod {
    /// Whose.
    public typealias Parameters = UserScope
    /// The two switches.
    public struct Reply: Codable, Sendable, Equatable {
        /// For the whole machine.
        public var machine: Bool
        /// For this user.
        public var user: Bool

        /// Those switches.
        public init(machine: Bool, user: Bool) {
            self.machine = machine
            self.user = user
        }
    }
}

/// Turns location services on or off.
public enum SetServices: ManageMethod {
    /// The switches as they are now.
    public typealias Reply = GetServices.Reply
    /// Which switch, and where to.
    public struct Parameters: NamesUser, Codable, Sendable, Equatable {
        /// On or off.
        public var enabled: Bool
        /// A user id; the caller's own where it is absent.
        public var uid: Int?
        /// A Boolean value indicating whether the machine's switch is meant, which only root may turn.
        public var machine: Bool?

        /// That switch.
        public init(enabled: Bool, uid: Int? = nil, machine: Bool? = nil) {
            self.enabled = enabled
            self.uid = uid
            self.machine = machine
        }
    }
}

/// The streams that are open.
public enum ListSessions: ManageMethod {
    /// Whose.
    public typealias Parameters = UserScope
    /// The streams.
    public struct Reply: Codable, Sendable, Equatable {
        /// In the order in which they were opened.
        public var sessions: [SessionSummary]
        /// True if the list goes on in the next reply: see ``Page``.
        public var continued: Bool?

        /// Those streams.
        public init(sessions: [SessionSummary]) { self.sessions = sessions }
    }
}

/// The receivers and what they do.
public enum ListReceivers: ManageMethod {
    /// It takes none.
    public typealias Parameters = Nothing
    /// The receivers.
    public struct Reply: Codable, Sendable, Equatable {
        /// In the order of the configuration.
        public var receivers: [ReceiverSummary]
        /// True if the list goes on in the next reply: see ``Page``.
        public var continued: Bool?

        /// Those receivers.
        public init(receivers: [ReceiverSummary]) { self.receivers = receivers }
    }
}

/// The satellites in view of each receiver.
public enum ListSatellites: ManageMethod {
    /// It takes none.
    public typealias Parameters = Nothing
    /// The satellites.
    public struct Reply: Codable, Sendable, Equatable {
        /// In the order of the configuration.
        public var receivers: [ReceiverSatellites]
        /// True if the list goes on in the next reply: see ``Page``.
        public var continued: Bool?

        /// Those satellites.
        public init(receivers: [ReceiverSatellites]) { self.receivers = receivers }
    }
}

/// Puts the machine at a place, or on a route.
public enum Simulate: ManageMethod {
    /// It tells nothing.
    public typealias Reply = Nothing
    /// A place, or a route.
    public struct Parameters: Codable, Sendable, Equatable {
        /// Degrees; goes with `longitude`.
        public var latitude: Double?
        /// Degrees.
        public var longitude: Double?
        /// The text of a GPX file, instead of a place.
        public var route: String?
        /// Metres a second along the route.
        public var speed: Double?

        /// That place.
        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }

        /// That route.
        public init(route: String, speed: Double? = nil) {
            self.route = route
            self.speed = speed
        }
    }
}

/// Back to the receivers.
public enum StopSimulation: ManageMethod {
    /// It takes none.
    public typealias Parameters = Nothing
    /// It tells nothing.
    public typealias Reply = Nothing
}

/// Where this user's apps that monitor visits saw stays.
public enum ListPlaces: ManageMethod {
    /// Whose.
    public typealias Parameters = UserScope
    /// The places.
    public struct Reply: Codable, Sendable, Equatable {
        /// The most visited first.
        public var places: [Place]
        /// True if the list goes on in the next reply: see ``Page``.
        public var continued: Bool?

        /// Those places.
        public init(places: [Place]) { self.places = places }
    }
}

/// Forgets them.
public enum ClearPlaces: ManageMethod {
    /// Whose.
    public typealias Parameters = UserScope
    /// It tells nothing.
    public typealias Reply = Nothing
}

/// What the daemon has counted.
public enum GetStatistics: ManageMethod {
    /// It takes none.
    public typealias Parameters = Nothing
    /// The figures that the caller may see.
    public struct Reply: Codable, Sendable, Equatable {
        /// Since the daemon started.
        public var statistics: Statistics

        /// Those figures.
        public init(statistics: Statistics) { self.statistics = statistics }
    }
}
