/// Watches conditions, and tells when they come to hold and cease to, also over restarts of the app.
///
/// What a monitor watches is kept in the user's state folder (`XDG_STATE_HOME`, else `~/.local/state`), in
/// `CoreLocation/` and the app's name. The circles of all monitors and the regions of all managers share the 20 that an app
/// may have.
///
/// ```swift
/// let monitor = await CLMonitor("home")
/// await monitor.add(CLMonitor.CircularGeographicCondition(center: home, radius: 100), identifier: "home")
/// for try await event in await monitor.events {
///     print(event.identifier, event.state == .satisfied)
/// }
/// ```
public actor CLMonitor {
    private let core: any MonitorCore

    /// What comes to hold and ceases to, for as long as it is iterated over.
    public let events: Events

    /// Opens a monitor with the conditions that it was left with.
    ///
    /// - Parameter name: unique within the app; a monitor is open once at a time.
    public init(_ name: String) async {
        let core = await Backend.current.openMonitor(named: name)
        self.core = core
        events = Events(core: core)
    }

    /// The conditions' identifiers.
    public var identifiers: [String] { core.identifiers }

    /// Watches a condition of which it is not known whether it holds. One of the same identifier is replaced.
    public func add(_ condition: any CLCondition, identifier: String) {
        core.add(condition, identifier: identifier, assuming: .unknown)
    }

    /// Watches a condition that is in `state` for all the app knows. One of the same identifier is replaced.
    public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
        core.add(condition, identifier: identifier, assuming: state)
    }

    /// Ceases to watch a condition.
    public func remove(_ identifier: String) {
        core.remove(identifier)
    }

    /// A condition and what it came to; `nil` if there is no such identifier.
    public func record(for identifier: String) -> Record? {
        core.record(for: identifier)
    }
}
