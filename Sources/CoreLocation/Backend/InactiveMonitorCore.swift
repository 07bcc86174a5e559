/// A monitor core that monitors nothing and has no events.
final class InactiveMonitorCore: MonitorCore {
    var identifiers: [String] { [] }
    func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State) {}
    func remove(_ identifier: String) {}
    func record(for identifier: String) -> CLMonitor.Record? { nil }
    func events() -> any EventSource<CLMonitor.Event> { EmptySource() }
}
