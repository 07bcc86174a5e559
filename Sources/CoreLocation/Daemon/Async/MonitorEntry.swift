internal import Foundation

/// One condition of a monitor, and what it came to.
struct MonitorEntry: Sendable {
    let condition: any CLCondition
    var event: CLMonitor.Event
    /// A Boolean value indicating whether nobody has got `event` yet.
    var isUnread = false

    /// As it is kept in a file.
    struct Kept: Codable {
        var identifier: String
        var circle: CLMonitor.CircularGeographicCondition?
        var beacon: CLMonitor.BeaconIdentityCondition?
        var state: UInt
        var date: Date
        var isUnread: Bool
    }

    /// `nil` for a condition of a kind that is the app's own.
    var kept: Kept? {
        let kept = Kept(
            identifier: event.identifier, circle: condition as? CLMonitor.CircularGeographicCondition,
            beacon: condition as? CLMonitor.BeaconIdentityCondition, state: event.state.rawValue, date: event.date,
            isUnread: isUnread)
        return kept.circle == nil && kept.beacon == nil ? nil : kept
    }

    init(_ condition: any CLCondition, _ event: CLMonitor.Event) {
        self.condition = condition
        self.event = event
    }

    /// `nil` where it makes no sense.
    init?(_ kept: Kept) {
        guard let condition: any CLCondition = kept.circle ?? kept.beacon,
            let state = CLMonitor.Event.State(rawValue: kept.state)
        else { return nil }
        self.init(condition, CLMonitor.Event(identifier: kept.identifier, state: state, date: kept.date))
        isUnread = kept.isUnread
    }
}
