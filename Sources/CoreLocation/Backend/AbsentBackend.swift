/// A machine without a location service: nobody has decided, and nothing is ever delivered.
struct AbsentBackend: LocationBackend {
    var locationServicesEnabled: Bool { false }
    var authorizationStatus: CLAuthorizationStatus { .notDetermined }
    var headingAvailable: Bool { false }

    func makeManagerCore() -> any LocationManagerCore { AbsentManagerCore() }

    func liveUpdates(_ configuration: CLLocationUpdate.LiveConfiguration) -> any EventSource<CLLocationUpdate> {
        EmptySource()
    }

    func openMonitor(named name: String) async -> any MonitorCore { AbsentMonitorCore() }

    func openServiceSession(
        authorization: CLServiceSession.AuthorizationRequirement, fullAccuracyPurposeKey: String?
    ) -> any ServiceSessionCore { AbsentSessionCore() }

    func openBackgroundActivitySession() -> any BackgroundActivitySessionCore { AbsentSessionCore() }
}

/// A stream without events.
final class EmptySource<Event: Sendable>: EventSource {
    func next(isolation: isolated (any Actor)?) async throws -> Event? { nil }
}

/// A monitor that monitors nothing.
final class AbsentMonitorCore: MonitorCore {
    var identifiers: [String] { [] }
    func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State) {}
    func remove(_ identifier: String) {}
    func record(for identifier: String) -> CLMonitor.Record? { nil }
    func events() -> any EventSource<CLMonitor.Event> { EmptySource() }
}

private final class AbsentSessionCore: ServiceSessionCore, BackgroundActivitySessionCore {
    func invalidate() {}
    func diagnostics() -> any EventSource<CLServiceSession.Diagnostic> { EmptySource() }
    func diagnostics() -> any EventSource<CLBackgroundActivitySession.Diagnostic> { EmptySource() }
}
