package import LocationModel

/// What is monitored. The raw values are those of the database.
package enum EventKind: String, Sendable, CaseIterable {
    case significantChange = "MonitorSignificantChanges"
    case region = "MonitorRegions"
    case visit = "MonitorVisits"
    case heading = "MonitorHeading"
}

/// Something that an app is told of on a stream of its own.
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
