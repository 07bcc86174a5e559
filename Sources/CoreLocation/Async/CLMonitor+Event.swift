import Foundation

/// Whether a condition of a ``CLMonitor`` holds; written `CLMonitor.Event.State`.
@nonexhaustive
public enum __CLMonitoringState: UInt, Sendable {
    /// Not known yet.
    case unknown = 0
    /// It holds.
    case satisfied = 1
    /// It does not hold.
    case unsatisfied = 2
    /// It is not watched, for the reason that the event tells.
    case unmonitored = 3
}

extension CLMonitor {
    /// A condition has come to hold, or has ceased to.
    public struct Event: Sendable {
        /// Whether a condition holds.
        public typealias State = __CLMonitoringState

        /// The condition as it was met, where that tells more than the one that was added.
        public let refinement: (any CLCondition)?
        /// The condition's.
        public let identifier: String
        /// A Boolean value indicating whether the condition holds.
        public let state: State
        /// When it came to.
        public let date: Date
        /// A Boolean value indicating whether the user said no.
        public internal(set) var authorizationDenied = false
        /// A Boolean value indicating whether location services are off.
        public internal(set) var authorizationDeniedGlobally = false
        /// A Boolean value indicating whether the administrator forbids it.
        public internal(set) var authorizationRestricted = false
        /// A Boolean value indicating whether the app is in the background, and may not be told there.
        public internal(set) var insufficientlyInUse = false
        /// A Boolean value indicating whether the app gets reduced accuracy only, which is too little.
        public internal(set) var accuracyLimited = false
        /// A Boolean value indicating whether conditions of this kind cannot be watched.
        public internal(set) var conditionUnsupported = false
        /// A Boolean value indicating whether the app watches too many conditions.
        public internal(set) var conditionLimitExceeded = false
        /// A Boolean value indicating whether the conditions cannot be kept.
        public internal(set) var persistenceUnavailable = false
        /// A Boolean value indicating whether a ``CLServiceSession`` is needed.
        public internal(set) var serviceSessionRequired = false
        /// A Boolean value indicating whether the user is being asked.
        public internal(set) var authorizationRequestInProgress = false

        init(identifier: String, state: State, date: Date, refinement: (any CLCondition)? = nil) {
            self.refinement = refinement
            self.identifier = identifier
            self.state = state
            self.date = date
        }
    }

    /// A condition and what it came to last.
    public struct Record: Sendable {
        /// What it came to.
        public let lastEvent: Event
        /// As it was added.
        public let condition: any CLCondition
    }
}
