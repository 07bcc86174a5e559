import Foundation

/// The state of a condition of a ``CLMonitor``. Apps use it as `CLMonitor.Event.State`.
@nonexhaustive
public enum __CLMonitoringState: UInt, Sendable {
    /// The state is not known yet.
    case unknown = 0
    /// The condition is satisfied.
    case satisfied = 1
    /// The condition is not satisfied.
    case unsatisfied = 2
    /// The condition is not monitored. The event has the reason.
    case unmonitored = 3
}

extension CLMonitor {
    /// A change in the state of a condition.
    public struct Event: Sendable {
        /// The state of a condition.
        public typealias State = __CLMonitoringState

        /// The condition as it was met, if it is more specific than the added one: the beacon that satisfies a condition
        /// for several beacons.
        public let refinement: (any CLCondition)?
        /// The identifier of the condition.
        public let identifier: String
        /// The new state of the condition.
        public let state: State
        /// The time when the app received the change.
        public let date: Date
        /// A Boolean value indicating whether the app is denied access.
        public package(set) var authorizationDenied = false
        /// A Boolean value indicating whether location services are off.
        public package(set) var authorizationDeniedGlobally = false
        /// A Boolean value indicating whether the administrator forbids access.
        public package(set) var authorizationRestricted = false
        /// A Boolean value indicating whether the app is in the background and may not receive events there. Always
        /// `false` on Linux.
        public package(set) var insufficientlyInUse = false
        /// A Boolean value indicating whether the app has only reduced accuracy, which does not suffice for
        /// monitoring.
        public package(set) var accuracyLimited = false
        /// A Boolean value indicating whether this condition cannot be monitored.
        public package(set) var conditionUnsupported = false
        /// A Boolean value indicating whether the app monitors too many conditions.
        public package(set) var conditionLimitExceeded = false
        /// A Boolean value indicating whether the monitor's conditions could not be saved.
        public package(set) var persistenceUnavailable = false
        /// A Boolean value indicating whether a ``CLServiceSession`` is required.
        public package(set) var serviceSessionRequired = false
        /// A Boolean value indicating whether the user is being prompted.
        public package(set) var authorizationRequestInProgress = false

        package init(identifier: String, state: State, date: Date, refinement: (any CLCondition)? = nil) {
            self.refinement = refinement
            self.identifier = identifier
            self.state = state
            self.date = date
        }
    }

    /// A condition with its most recent event.
    public struct Record: Sendable {
        /// The most recent event of the condition.
        public let lastEvent: Event
        /// The condition that was added.
        public let condition: any CLCondition

        package init(lastEvent: Event, condition: any CLCondition) {
            self.lastEvent = lastEvent
            self.condition = condition
        }
    }
}
