/// A monitor of conditions, which reports changes in their states. It keeps its conditions when the app is restarted.
///
/// The conditions are saved in the user's state folder (`XDG_STATE_HOME`, else `~/.local/state`), in `CoreLocation/`
/// followed by the app's name. The conditions of all monitors and the regions of all managers share the limit of 20
/// regions per app. A condition beyond it is unmonitored until another one is removed.
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

    /// The events of the monitor, which are reported while the sequence is iterated over.
    public let events: Events

    /// Opens a monitor with its conditions from the last time it was open.
    ///
    /// - Parameter name: The name of the monitor, unique within the app. A second monitor with the same name monitors
    ///   nothing while the first is open.
    public init(_ name: String) async {
        let core = await Backend.current.openMonitor(named: name)
        self.core = core
        events = Events(core: core)
    }

    /// The identifiers of the conditions, in the order they were added.
    public var identifiers: [String] { core.identifiers }

    /// Starts monitoring a condition with an unknown state.
    ///
    /// It replaces a condition with the same identifier, and the record of that condition: the state is unknown again,
    /// even if the condition is the same, and the event that determines it follows.
    public func add(_ condition: any CLCondition, identifier: String) {
        core.add(condition, identifier: identifier, assuming: .unknown)
    }

    /// Starts monitoring a condition assumed to be in `state`. An event follows once another state is determined.
    ///
    /// It replaces a condition with the same identifier, and the record of that condition.
    public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
        core.add(condition, identifier: identifier, assuming: state)
    }

    /// Stops monitoring a condition.
    public func remove(_ identifier: String) {
        core.remove(identifier)
    }

    /// Returns a condition with its most recent event, or `nil` if no condition has the identifier.
    public func record(for identifier: String) -> Record? {
        core.record(for: identifier)
    }
}
