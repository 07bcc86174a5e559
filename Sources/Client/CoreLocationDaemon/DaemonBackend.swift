internal import CoreLocation
internal import LocationClient
internal import LocationModel

/// The backend that uses this machine's daemon.
struct DaemonBackend: LocationBackend {
    private let fixed: AppSession?

    /// Creates a backend.
    ///
    /// - Parameter app: The session to use, or `nil` for the one shared by the process, which is created by the first
    ///   call.
    init(_ app: AppSession? = nil) {
        fixed = app
    }

    private var app: AppSession { fixed ?? .shared }

    var locationServicesEnabled: Bool { app.authorization.current.servicesEnabled }
    var authorizationStatus: CLAuthorizationStatus { CLAuthorizationStatus(app.authorization.current.status) }
    var headingAvailable: Bool { app.isHeadingAvailable }
    var rangingAvailable: Bool { app.isRangingAvailable }

    var largestRegionRadius: CLLocationDistance { CircularRegion.radii.upperBound }

    var geocodingSource: any GeocodingSource { MachineGeocoder(app: app) }

    func makeManagerCore() -> any LocationManagerCore { DaemonManagerCore(app) }

    func liveUpdates(_ configuration: CLLocationUpdate.LiveConfiguration) -> any EventSource<CLLocationUpdate> {
        LiveUpdates(app, configuration)
    }

    func openMonitor(named name: String) async -> any MonitorCore { DaemonMonitor.open(name, app) }

    func openServiceSession(
        authorization: CLServiceSession.AuthorizationRequirement, fullAccuracyPurposeKey: String?
    ) -> any ServiceSessionCore {
        DaemonServiceSession(app, authorization, fullAccuracyPurposeKey: fullAccuracyPurposeKey)
    }

    func openBackgroundActivitySession() -> any BackgroundActivitySessionCore { DaemonBackgroundActivitySession(app) }
}
