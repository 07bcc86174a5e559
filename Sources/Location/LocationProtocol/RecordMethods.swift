public import LocationModel
internal import Varlink

/// The method that replies with the apps that use the location now or used it in the last 24 hours.
public enum GetIndicator: ManageMethod {
    /// The user whose apps are listed.
    public typealias Parameters = UserScope
    /// The apps.
    public struct Reply: Codable, Sendable, Equatable {
        /// The apps, the latest use first.
        public var apps: [IndicatorEntry]
        /// A Boolean value indicating whether the list continues in the next reply, or `nil` if not: see ``Page``.
        public var continued: Bool?

        /// Creates a reply.
        public init(apps: [IndicatorEntry]) { self.apps = apps }
    }
}

/// The method that replies with the deliveries to apps.
public enum GetAccessLog: ManageMethod {
    /// The user whose apps are listed.
    public typealias Parameters = UserScope
    /// The entries of the access log.
    public struct Reply: Codable, Sendable, Equatable {
        /// The entries, the latest first.
        public var entries: [AccessLogEntry]
        /// A Boolean value indicating whether the list continues in the next reply, or `nil` if not: see ``Page``.
        public var continued: Bool?

        /// Creates a reply.
        public init(entries: [AccessLogEntry]) { self.entries = entries }
    }
}
