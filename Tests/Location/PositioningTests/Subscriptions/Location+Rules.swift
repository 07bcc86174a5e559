import LocationModel

@testable import Positioning

extension SubscriptionRules {
    /// Decides about a location.
    mutating func consider(_ location: Location) -> Verdict { consider(TimedPosition(location)) { location } }
}

extension SubscriptionFilter {
    /// Decides about a location.
    mutating func consider(_ location: Location) -> Verdict { consider(TimedPosition(location)) }
}
