/// What stands behind a `CLMonitor`.
protocol MonitorCore: AnyObject, Sendable {
    /// Of the conditions that are monitored, in the order in which they were added.
    var identifiers: [String] { get }
    /// A condition of the same identifier is replaced.
    func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State)
    func remove(_ identifier: String)
    func record(for identifier: String) -> CLMonitor.Record?
    func events() -> any EventSource<CLMonitor.Event>
}
