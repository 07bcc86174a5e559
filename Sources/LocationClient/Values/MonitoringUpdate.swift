/// An update in a stream of region events, visits or headings.
///
/// ```swift
/// for try await case .event(let visit) in client.visits() {
///     print("since", visit.arrival)
/// }
/// ```
public enum MonitoringUpdate<Event: Sendable>: Sendable {
    /// An event of the kind that the stream is for.
    case event(Event)
    /// The daemon is gone: restarted or stopped. The stream continues when the daemon is back.
    case disconnected
    /// The daemon is back; reported once for each `disconnected`.
    case reconnected
}

extension MonitoringUpdate: Equatable where Event: Equatable {}
