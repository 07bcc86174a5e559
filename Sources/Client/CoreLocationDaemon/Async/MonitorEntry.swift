internal import CoreLocation
internal import Foundation

/// A condition of a monitor with its most recent event.
struct MonitorEntry: Sendable {
    let condition: any CLCondition
    var event: CLMonitor.Event
    /// The last event that the app has handled: it received the event, and then requested the next one. The monitor's
    /// record shows this event, so that an app can compare the current event with the one before.
    var handled: CLMonitor.Event
    /// A Boolean value indicating whether no iterator has received `event` yet.
    var isUnread = false

    /// The form of an entry in a file.
    struct Saved: Codable {
        var identifier: String
        var circle: CLMonitor.CircularGeographicCondition?
        var beacon: CLMonitor.BeaconIdentityCondition?
        var state: UInt
        var date: Date
        var isUnread: Bool
        var handledState: UInt?
        var handledDate: Date?
    }

    /// The form for the file, or `nil` if the app defines the condition's type itself.
    var saved: Saved? {
        let saved = Saved(
            identifier: event.identifier, circle: condition as? CLMonitor.CircularGeographicCondition,
            beacon: condition as? CLMonitor.BeaconIdentityCondition, state: event.state.rawValue, date: event.date,
            isUnread: isUnread, handledState: handled.state.rawValue, handledDate: handled.date)
        return saved.circle == nil && saved.beacon == nil ? nil : saved
    }

    init(_ condition: any CLCondition, _ event: CLMonitor.Event) {
        self.condition = condition
        self.event = event
        handled = event
    }

    /// Creates an entry from its form in a file, or returns `nil` if that is invalid.
    init?(_ saved: Saved) {
        guard let condition: any CLCondition = saved.circle ?? saved.beacon,
            let state = CLMonitor.Event.State(rawValue: saved.state)
        else { return nil }
        self.init(condition, CLMonitor.Event(identifier: saved.identifier, state: state, date: saved.date))
        isUnread = saved.isUnread
        if let state = saved.handledState.flatMap(CLMonitor.Event.State.init(rawValue:)), let date = saved.handledDate {
            handled = CLMonitor.Event(identifier: saved.identifier, state: state, date: date)
        }
    }
}
