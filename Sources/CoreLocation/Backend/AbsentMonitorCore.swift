/// A monitor on a machine without a location service.
final class AbsentMonitorCore: MonitorCore {
    var identifiers: [String] { [] }
    func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State) {}
    func remove(_ identifier: String) {}
    func record(for identifier: String) -> CLMonitor.Record? { nil }
    func events() -> any EventSource<CLMonitor.Event> { EmptySource() }
}
