package import LocationModel

/// The kind of a monitored event. The database stores these names.
package enum EventKind: String, Sendable, CaseIterable {
    case significantChange, region, visit, heading, ranging
}

/// An event that an app receives on a stream of its own.
package protocol MonitoredEvent: Codable, Sendable {
    static var kind: EventKind { get }
}

extension Location: MonitoredEvent {
    package static var kind: EventKind { .significantChange }
}

extension RegionEvent: MonitoredEvent {
    package static var kind: EventKind { .region }
}

extension Visit: MonitoredEvent {
    package static var kind: EventKind { .visit }
}

extension Heading: MonitoredEvent {
    package static var kind: EventKind { .heading }
}

extension RangingReport: MonitoredEvent {
    package static var kind: EventKind { .ranging }
}
