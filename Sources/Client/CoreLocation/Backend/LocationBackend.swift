/// The backend that serves new managers, streams and sessions.
package enum Backend {
    /// The backend of the current task. It is task-local so that tests with different scripts can run at the same
    /// time.
    @TaskLocal package static var current: any LocationBackend = makeDaemonBackend()
}

/// The implementation of the module's public types: the daemon or, in tests, a script.
///
/// A backend must cost no time before its first call: a program that links this module without using it starts as fast
/// as one without it.
package protocol LocationBackend: Sendable {
    /// A Boolean value indicating whether location services are on. Reading it may block, but only briefly.
    var locationServicesEnabled: Bool { get }
    /// The app's authorization. Reading it may block, but only briefly.
    var authorizationStatus: CLAuthorizationStatus { get }
    /// A Boolean value indicating whether a receiver may report headings. `true` until it turns out that none does;
    /// `false` while the daemon is unreachable.
    var headingAvailable: Bool { get }

    /// A Boolean value indicating whether the machine can find beacons. Reading it may block, but only briefly.
    var rangingAvailable: Bool { get }

    /// The largest radius of a region that can be monitored, in metres.
    var largestRegionRadius: CLLocationDistance { get }

    /// The geocoder of the machine.
    var geocodingSource: any GeocodingSource { get }

    /// Returns a core for a manager that is being initialized on the calling thread.
    func makeManagerCore() -> any LocationManagerCore

    /// Returns a source of live updates, which run from its first call of `next` until its deinit.
    func liveUpdates(_ configuration: CLLocationUpdate.LiveConfiguration) -> any EventSource<CLLocationUpdate>

    /// Opens the monitor with a name, with its conditions from the last time it was open.
    func openMonitor(named name: String) async -> any MonitorCore

    /// Opens a session that requests `authorization` and, with a purpose key, temporary full accuracy.
    func openServiceSession(
        authorization: CLServiceSession.AuthorizationRequirement, fullAccuracyPurposeKey: String?
    ) -> any ServiceSessionCore

    /// Opens a session during which the app's updates continue in the background.
    func openBackgroundActivitySession() -> any BackgroundActivitySessionCore
}
