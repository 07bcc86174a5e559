public import LocationModel
public import Varlink

/// The parameters of monitoring that can start an app that is not connected.
public struct WakeParameters: Codable, Sendable, Equatable {
    /// The path of a Unix socket of the app's own user that starts the app.
    public var wake: String?

    /// Creates the parameters of a call.
    public init(wake: String? = nil) { self.wake = wake }
}

/// The parameters of a call about one of the app's regions.
public struct RegionScope: Codable, Sendable, Equatable {
    /// The identifier of the region.
    public var identifier: String

    /// Creates the parameters of a call.
    public init(identifier: String) { self.identifier = identifier }
}

/// The method that monitors significant changes of the location.
public enum MonitorSignificantChanges: LocationMethod {
    /// A Boolean value indicating that the method must be called with `more`.
    public static let requiresMore = true
    /// The socket that starts the app.
    public typealias Parameters = WakeParameters
    /// A location, as an update of a subscription.
    public typealias Reply = Subscribe.Reply
}

/// The method that adds a region.
public enum StartMonitoringRegion: LocationMethod {
    /// An empty reply.
    public typealias Reply = Nothing
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The region to monitor.
        public var region: CircularRegion
        /// The path of the socket that starts the app.
        public var wake: String?

        /// Creates the parameters of a call.
        public init(region: CircularRegion, wake: String? = nil) {
            self.region = region
            self.wake = wake
        }
    }
}

/// The method that adds a region of beacons.
public enum StartMonitoringBeaconRegion: LocationMethod {
    /// An empty reply.
    public typealias Reply = Nothing
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The region to monitor.
        public var region: BeaconRegion
        /// The path of the socket that starts the app.
        public var wake: String?

        /// Creates the parameters of a call.
        public init(region: BeaconRegion, wake: String? = nil) {
            self.region = region
            self.wake = wake
        }
    }
}

/// The method that removes a region.
public enum StopMonitoringRegion: LocationMethod {
    /// The region to remove.
    public typealias Parameters = RegionScope
    /// An empty reply.
    public typealias Reply = Nothing
}

/// The method that replies with the app's regions.
public enum ListRegions: LocationMethod {
    /// No parameters.
    public typealias Parameters = Nothing
    /// The reply.
    public struct Reply: Codable, Sendable, Equatable {
        /// The circles, ordered by identifier.
        public var regions: [CircularRegion]
        /// The ranges of beacons, ordered by identifier, or `nil` if there are none.
        public var beaconRegions: [BeaconRegion]?

        /// Creates a reply.
        public init(regions: [CircularRegion], beaconRegions: [BeaconRegion]? = nil) {
            self.regions = regions
            self.beaconRegions = beaconRegions
        }
    }
}

/// The method that monitors crossings of the app's regions.
public enum MonitorRegions: LocationMethod {
    /// A Boolean value indicating that the method must be called with `more`.
    public static let requiresMore = true
    /// No parameters.
    public typealias Parameters = Nothing
    /// One event.
    public struct Reply: Codable, Sendable, Equatable {
        /// A state or a crossing.
        public var event: RegionEvent?

        /// Creates a reply.
        public init(event: RegionEvent?) { self.event = event }
    }
}

/// The method that replies with the state of a region.
public enum GetRegionState: LocationMethod {
    /// The region.
    public typealias Parameters = RegionScope
    /// The reply.
    public struct Reply: Codable, Sendable, Equatable {
        /// The state: inside, outside, or unknown.
        public var state: RegionState

        /// Creates a reply.
        public init(state: RegionState) { self.state = state }
    }
}

/// The method that monitors visits.
public enum MonitorVisits: LocationMethod {
    /// A Boolean value indicating that the method must be called with `more`.
    public static let requiresMore = true
    /// The socket that starts the app.
    public typealias Parameters = WakeParameters
    /// One event.
    public struct Reply: Codable, Sendable, Equatable {
        /// The visit, without a departure while it lasts.
        public var visit: Visit?

        /// Creates a reply.
        public init(visit: Visit?) { self.visit = visit }
    }
}

/// The method that returns whether a receiver has a compass.
public enum GetCompass: LocationMethod {
    /// No parameters.
    public typealias Parameters = Nothing
    /// The reply.
    public struct Reply: Codable, Sendable, Equatable {
        /// A Boolean value indicating whether a receiver has a compass, or `nil` if this is not known.
        public var available: Bool?

        /// Creates a reply.
        public init(available: Bool?) { self.available = available }
    }
}

/// The method that monitors the heading.
public enum MonitorHeading: LocationMethod {
    /// A Boolean value indicating that the method must be called with `more`.
    public static let requiresMore = true
    /// The parameters of a call.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The turn that causes another reply, in degrees. Default: 1.
        public var filter: Double?

        /// Creates the parameters of a call.
        public init(filter: Double? = nil) { self.filter = filter }
    }
    /// One heading.
    public struct Reply: Codable, Sendable, Equatable {
        /// The heading.
        public var heading: Heading?

        /// Creates a reply.
        public init(heading: Heading?) { self.heading = heading }
    }
}
