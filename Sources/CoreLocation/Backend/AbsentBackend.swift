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
