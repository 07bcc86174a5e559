package import LocationCore
internal import LocationProtocol
internal import Varlink

extension EventKind {
    /// The method whose replies carry events of this kind.
    var method: any LocationMethod.Type {
        switch self {
        case .significantChange: MonitorSignificantChanges.self
        case .region: MonitorRegions.self
        case .visit: MonitorVisits.self
        case .heading: MonitorHeading.self
        case .ranging: RangeBeacons.self
        }
    }
}

/// Returns the line that starts an app for an event: the method's name, and the reply that would have carried the event
/// on a stream.
package func wakeLine(for event: PendingEvent) -> String {
    let reply =
        switch event.kind {
        case .significantChange: #"{"update":{"event":"location","location":\#(event.json)}}"#
        case .region: #"{"event":\#(event.json)}"#
        case .visit: #"{"visit":\#(event.json)}"#
        case .heading: #"{"heading":\#(event.json)}"#
        case .ranging: event.json
        }
    return #"{"method":"\#(event.kind.method.qualifiedName)","parameters":\#(reply)}"#
}
