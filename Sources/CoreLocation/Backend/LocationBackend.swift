/// What stands behind the module's public types: the daemon or, in tests, a script.
///
/// Nothing of it may cost time before the first call: a program that links this module and does nothing starts as fast
/// as one without.
protocol LocationBackend: Sendable {
    /// A Boolean value indicating whether location services are on; without waiting long.
    var locationServicesEnabled: Bool { get }
    /// The app's authorization; without waiting long.
    var authorizationStatus: CLAuthorizationStatus { get }
    /// A Boolean value indicating whether there may be a receiver that tells headings: `true` until it turned out that
    /// there is none.
    var headingAvailable: Bool { get }

    /// A core for a manager that is being made on the calling thread.
    func makeManagerCore() -> any LocationManagerCore

    /// Live updates, from the first call of the source's `next` to its end of life.
    func liveUpdates(_ configuration: CLLocationUpdate.LiveConfiguration) -> any EventSource<CLLocationUpdate>

    /// Opens the monitor of that name with the conditions it was left with.
    func openMonitor(named name: String) async -> any MonitorCore

    /// Begins a session that asks for `authorization` and, with a purpose key, for temporary full accuracy.
    func openServiceSession(
        authorization: CLServiceSession.AuthorizationRequirement, fullAccuracyPurposeKey: String?
    ) -> any ServiceSessionCore

    /// Begins a session during which the app's updates go on in the background.
    func openBackgroundActivitySession() -> any BackgroundActivitySessionCore
}
