@testable import CoreLocation

/// A backend that returns the values a test has set, and records the calls it receives. For use on one thread.
final class ScriptedBackend: LocationBackend, @unchecked Sendable {
    var locationServicesEnabled = true
    var authorizationStatus = CLAuthorizationStatus.authorizedWhenInUse
    var headingAvailable = true
    var rangingAvailable = false
    var largestRegionRadius = 1_000_000.0
    var geocodingSource: any GeocodingSource = ScriptedGeocodingSource { _ in [] }
    var updates: [CLLocationUpdate] = []
    var events: [CLMonitor.Event] = []
    var diagnostics: [CLServiceSession.Diagnostic] = []
    var activityDiagnostics: [CLBackgroundActivitySession.Diagnostic] = []
    let core = ScriptedManagerCore()
    private(set) var calls: [String] = []

    func makeManagerCore() -> any LocationManagerCore { core }

    func liveUpdates(_ configuration: CLLocationUpdate.LiveConfiguration) -> any EventSource<CLLocationUpdate> {
        calls.append("liveUpdates \(configuration)")
        return ListedSource(updates)
    }

    func openMonitor(named name: String) async -> any MonitorCore {
        note("open \(name)")
        return Monitor(backend: self)
    }

    func openServiceSession(
        authorization: CLServiceSession.AuthorizationRequirement, fullAccuracyPurposeKey: String?
    ) -> any ServiceSessionCore {
        calls.append("session \(authorization) \(fullAccuracyPurposeKey ?? "-")")
        return Session(backend: self)
    }

    func openBackgroundActivitySession() -> any BackgroundActivitySessionCore {
        calls.append("activity")
        return Session(backend: self)
    }

    private func note(_ call: String) { calls.append(call) }

    private final class Monitor: MonitorCore {
        let backend: ScriptedBackend
        init(backend: ScriptedBackend) { self.backend = backend }
        var identifiers: [String] { ["first", "second"] }
        func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State) {
            backend.note("add \(identifier) \(state)")
        }
        func remove(_ identifier: String) { backend.note("remove \(identifier)") }
        func record(for identifier: String) -> CLMonitor.Record? {
            guard identifier == "first" else { return nil }
            return CLMonitor.Record(
                lastEvent: CLMonitor.Event(identifier: identifier, state: .satisfied, date: .distantPast),
                condition: CLMonitor.CircularGeographicCondition(center: CLLocationCoordinate2D(), radius: 1))
        }
        func events() -> any EventSource<CLMonitor.Event> { ListedSource(backend.events) }
    }

    private final class Session: ServiceSessionCore, BackgroundActivitySessionCore {
        let backend: ScriptedBackend
        init(backend: ScriptedBackend) { self.backend = backend }
        func invalidate() { backend.note("invalidate") }
        func diagnostics() -> any EventSource<CLServiceSession.Diagnostic> { ListedSource(backend.diagnostics) }
        func diagnostics() -> any EventSource<CLBackgroundActivitySession.Diagnostic> {
            ListedSource(backend.activityDiagnostics)
        }
    }
}

/// A geocoder that answers by a closure.
struct ScriptedGeocodingSource: GeocodingSource {
    let answer: @Sendable (GeocodingQuery) async throws -> [CLPlacemark.Values]

    init(_ answer: @escaping @Sendable (GeocodingQuery) async throws -> [CLPlacemark.Values]) { self.answer = answer }

    func places(for query: GeocodingQuery) async throws -> [CLPlacemark.Values] { try await answer(query) }
}

/// A source of the given events, followed by the end.
private final class ListedSource<Event: Sendable>: EventSource {
    private var events: ArraySlice<Event>
    init(_ events: [Event]) { self.events = events[...] }
    func next(isolation: isolated (any Actor)?) async throws -> Event? { events.popFirst() }
}
