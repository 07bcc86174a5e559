/// The implementation of a `CLMonitor`.
package protocol MonitorCore: AnyObject, Sendable {
    /// The identifiers of the monitored conditions, in the order they were added.
    var identifiers: [String] { get }
    /// Adds a condition. It replaces a condition with the same identifier.
    func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State)
    func remove(_ identifier: String)
    func record(for identifier: String) -> CLMonitor.Record?
    func events() -> any EventSource<CLMonitor.Event>
}

/// A monitor core that monitors nothing and has no events.
package final class InactiveMonitorCore: MonitorCore {
    package init() {}

    package var identifiers: [String] { [] }
    package func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State) {}
    package func remove(_ identifier: String) {}
    package func record(for identifier: String) -> CLMonitor.Record? { nil }
    package func events() -> any EventSource<CLMonitor.Event> { EmptySource() }
}

/// The implementation of a `CLServiceSession`. The session invalidates it on deinit.
package protocol ServiceSessionCore: AnyObject, Sendable {
    func invalidate()
    func diagnostics() -> any EventSource<CLServiceSession.Diagnostic>
}

/// The implementation of a `CLBackgroundActivitySession`. The session invalidates it on deinit.
package protocol BackgroundActivitySessionCore: AnyObject, Sendable {
    func invalidate()
    func diagnostics() -> any EventSource<CLBackgroundActivitySession.Diagnostic>
}
