public import LocationModel
internal import Varlink

/// Who uses location, and who did.
public enum GetIndicator: ManageMethod {
    /// Whose.
    public typealias Parameters = UserScope
    /// The apps.
    public struct Reply: Codable, Sendable, Equatable {
        /// The latest first.
        public var apps: [IndicatorEntry]
        /// True if the list goes on in the next reply: see ``Page``.
        public var continued: Bool?

        /// Those apps.
        public init(apps: [IndicatorEntry]) { self.apps = apps }
    }
}

/// What was sent to whom.
public enum GetAccessLog: ManageMethod {
    /// Whose.
    public typealias Parameters = UserScope
    /// The hours.
    public struct Reply: Codable, Sendable, Equatable {
        /// The latest first.
        public var entries: [AccessLogEntry]
        /// True if the list goes on in the next reply: see ``Page``.
        public var continued: Bool?

        /// Those hours.
        public init(entries: [AccessLogEntry]) { self.entries = entries }
    }
}
