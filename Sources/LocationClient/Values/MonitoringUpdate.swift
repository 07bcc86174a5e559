/// What a stream of regions' events, visits or headings tells.
///
/// ```swift
/// for try await case .event(let visit) in client.visits() {
///     print("since", visit.arrival)
/// }
/// ```
public enum MonitoringUpdate<Event: Sendable>: Sendable {
    /// What the stream is for.
    case event(Event)
    /// The daemon is gone: restarted, or stopped. The stream goes on when it is back.
    case disconnected
    /// The daemon is back; told once for each `disconnected`.
    case reconnected
}

extension MonitoringUpdate: Equatable where Event: Equatable {}
