/// The implementation of a `CLMonitor`.
package protocol MonitorCore: AnyObject, Sendable {
    /// The identifiers of the monitored conditions, in the order in which they were added.
    var identifiers: [String] { get }
    /// Adds a condition. It replaces one with the same identifier.
    func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State)
    func remove(_ identifier: String)
    func record(for identifier: String) -> CLMonitor.Record?
    func events() -> any EventSource<CLMonitor.Event>
}
