/// What stands behind the module's public types: the daemon or, in tests, a script.
///
/// Nothing of it may cost time before the first call: a program that links this module and does nothing starts as fast
/// as one without.
protocol LocationBackend: Sendable {
    /// Whether location services are on; without waiting long.
    var locationServicesEnabled: Bool { get }
    /// The app's authorization; without waiting long.
    var authorizationStatus: CLAuthorizationStatus { get }
    /// Whether there is a receiver that tells headings.
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

/// A stream as its one consumer sees it; released, it ends.
protocol EventSource<Event>: AnyObject {
    associatedtype Event: Sendable

    /// The next event, `nil` after the last. Throws `CancellationError` if the calling task is cancelled.
    func next(isolation: isolated (any Actor)?) async throws -> Event?
}

/// What stands behind a `CLMonitor`.
protocol MonitorCore: AnyObject, Sendable {
    /// Of the conditions that are monitored, in the order in which they were added.
    var identifiers: [String] { get }
    /// A condition of the same identifier is replaced.
    func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State)
    func remove(_ identifier: String)
    func record(for identifier: String) -> CLMonitor.Record?
    func events() -> any EventSource<CLMonitor.Event>
}

/// What stands behind a `CLServiceSession`, which invalidates it when it goes.
protocol ServiceSessionCore: AnyObject, Sendable {
    func invalidate()
    func diagnostics() -> any EventSource<CLServiceSession.Diagnostic>
}

/// What stands behind a `CLBackgroundActivitySession`, which invalidates it when it goes.
protocol BackgroundActivitySessionCore: AnyObject, Sendable {
    func invalidate()
    func diagnostics() -> any EventSource<CLBackgroundActivitySession.Diagnostic>
}
