internal import CoreLocation
internal import Foundation

/// A condition of a monitor with its most recent event.
struct MonitorEntry: Sendable {
    let condition: any CLCondition
    var event: CLMonitor.Event
    /// The last event that the app has handled: it received the event, and then asked for the next one. The monitor's
    /// record shows this one, so that an app can compare the event that it handles with the one before.
    var handled: CLMonitor.Event
    /// A Boolean value indicating whether no iterator has received `event` yet.
    var isUnread = false

    /// The form in which an entry is saved in a file.
    struct Kept: Codable {
        var identifier: String
        var circle: CLMonitor.CircularGeographicCondition?
        var beacon: CLMonitor.BeaconIdentityCondition?
        var state: UInt
        var date: Date
        var isUnread: Bool
        var handledState: UInt?
        var handledDate: Date?
    }

    /// The form for the file, or `nil` if the app defines the type of the condition itself.
    var kept: Kept? {
        let kept = Kept(
            identifier: event.identifier, circle: condition as? CLMonitor.CircularGeographicCondition,
            beacon: condition as? CLMonitor.BeaconIdentityCondition, state: event.state.rawValue, date: event.date,
            isUnread: isUnread, handledState: handled.state.rawValue, handledDate: handled.date)
        return kept.circle == nil && kept.beacon == nil ? nil : kept
    }

    init(_ condition: any CLCondition, _ event: CLMonitor.Event) {
        self.condition = condition
        self.event = event
        handled = event
    }

    /// Creates an entry from its form in a file, or returns `nil` if that is invalid.
    init?(_ kept: Kept) {
        guard let condition: any CLCondition = kept.circle ?? kept.beacon,
            let state = CLMonitor.Event.State(rawValue: kept.state)
        else { return nil }
        self.init(condition, CLMonitor.Event(identifier: kept.identifier, state: state, date: kept.date))
        isUnread = kept.isUnread
        if let state = kept.handledState.flatMap(CLMonitor.Event.State.init(rawValue:)), let date = kept.handledDate {
            handled = CLMonitor.Event(identifier: kept.identifier, state: state, date: date)
        }
    }
}
