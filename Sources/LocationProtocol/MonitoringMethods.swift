public import LocationModel
public import Varlink

/// Where the app is started when it is not connected.
public struct WakeParameters: Codable, Sendable, Equatable {
    /// The path of a Unix socket of the app's own user.
    public var wake: String?

    /// That socket, or none.
    public init(wake: String? = nil) { self.wake = wake }
}

/// Which region of the app is meant.
public struct RegionScope: Codable, Sendable, Equatable {
    /// The region's.
    public var identifier: String

    /// That region.
    public init(identifier: String) { self.identifier = identifier }
}

/// A stream of locations far apart.
public enum MonitorSignificantChanges: LocationMethod {
    /// True.
    public static let requiresMore = true
    /// Where the app is started.
    public typealias Parameters = WakeParameters
    /// A location, or an event.
    public typealias Reply = Subscribe.Reply
}

/// Adds a region.
public enum StartMonitoringRegion: LocationMethod {
    /// It tells nothing.
    public typealias Reply = Nothing
    /// What is monitored.
    public struct Parameters: Codable, Sendable, Equatable {
        /// The circle.
        public var region: CircularRegion
        /// Where the app is started.
        public var wake: String?

        /// That circle.
        public init(region: CircularRegion, wake: String? = nil) {
            self.region = region
            self.wake = wake
        }
    }
}

/// Removes a region.
public enum StopMonitoringRegion: LocationMethod {
    /// Which one.
    public typealias Parameters = RegionScope
    /// It tells nothing.
    public typealias Reply = Nothing
}

/// The app's regions.
public enum ListRegions: LocationMethod {
    /// It takes none.
    public typealias Parameters = Nothing
    /// The regions.
    public struct Reply: Codable, Sendable, Equatable {
        /// Ordered by identifier.
        public var regions: [CircularRegion]

        /// Those regions.
        public init(regions: [CircularRegion]) { self.regions = regions }
    }
}

/// A stream of the crossings of the app's regions.
public enum MonitorRegions: LocationMethod {
    /// True.
    public static let requiresMore = true
    /// It takes none.
    public typealias Parameters = Nothing
    /// One event.
    public struct Reply: Codable, Sendable, Equatable {
        /// A state, or a crossing.
        public var event: RegionEvent?

        /// That event.
        public init(event: RegionEvent?) { self.event = event }
    }
}

/// Where the device is now, seen from a region.
public enum GetRegionState: LocationMethod {
    /// Which one.
    public typealias Parameters = RegionScope
    /// The state.
    public struct Reply: Codable, Sendable, Equatable {
        /// Inside, outside, or not known yet.
        public var state: RegionState

        /// That state.
        public init(state: RegionState) { self.state = state }
    }
}

/// A stream of arrivals and departures.
public enum MonitorVisits: LocationMethod {
    /// True.
    public static let requiresMore = true
    /// Where the app is started.
    public typealias Parameters = WakeParameters
    /// One event.
    public struct Reply: Codable, Sendable, Equatable {
        /// Without departure while it lasts.
        public var visit: Visit?

        /// That visit.
        public init(visit: Visit?) { self.visit = visit }
    }
}

/// A stream of headings.
public enum MonitorHeading: LocationMethod {
    /// True.
    public static let requiresMore = true
    /// What is wanted.
    public struct Parameters: Codable, Sendable, Equatable {
        /// Degrees; 1 where it is absent.
        public var filter: Double?

        /// That turn.
        public init(filter: Double? = nil) { self.filter = filter }
    }
    /// One heading.
    public struct Reply: Codable, Sendable, Equatable {
        /// The heading.
        public var heading: Heading?

        /// That heading.
        public init(heading: Heading?) { self.heading = heading }
    }
}
