package import LocationModel

/// The kind of a monitored event. The raw values are those in the database.
package enum EventKind: String, Sendable, CaseIterable {
    case significantChange = "MonitorSignificantChanges"
    case region = "MonitorRegions"
    case visit = "MonitorVisits"
    case heading = "MonitorHeading"
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
