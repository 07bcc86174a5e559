/// A monitor core that monitors nothing and has no events.
package final class InactiveMonitorCore: MonitorCore {
    package init() {}

    package var identifiers: [String] { [] }
    package func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State) {}
    package func remove(_ identifier: String) {}
    package func record(for identifier: String) -> CLMonitor.Record? { nil }
    package func events() -> any EventSource<CLMonitor.Event> { EmptySource() }
}
