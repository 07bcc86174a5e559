/// What stands behind one `CLLocationManager`: its behaviour, of which the class is the surface.
///
/// It is made on the thread that makes the manager, held by the manager alone, and holds it weakly. The app calls the
/// manager, and so the core, from any thread. The core calls the manager's `delegate` and the completions on the
/// manager's thread only, in the order of the events, and never from within one of these methods. Before it calls the
/// delegate with a location or heading, `location` or `heading` holds it.
///
/// Which of two delegate methods for the same event is implemented need not be asked: the core calls the newer one,
/// whose default implementation calls the older one (see `CLLocationManagerDelegate`).
protocol LocationManagerCore: AnyObject {
    /// As last heard; the first time without waiting long.
    var authorizationStatus: CLAuthorizationStatus { get }
    /// As last heard; the first time without waiting long.
    var accuracyAuthorization: CLAccuracyAuthorization { get }
    /// The newest location; `nil` before the first.
    var location: CLLocation? { get }
    /// The newest heading; `nil` before the first.
    var heading: CLHeading? { get }
    /// The app's regions, whichever manager they were added to, also in earlier runs.
    var monitoredRegions: Set<CLRegion> { get }

    /// Called once, before every other method.
    func attach(to manager: CLLocationManager)

    /// The manager's delegate is another one now, or none.
    func delegateChanged()

    /// The app wants something else of the updates that run, and of those to come.
    func optionsChanged(_ options: LocationManagerOptions)

    /// Calls `body` on the manager's thread, after what is to be delivered already; not at all if the manager is gone.
    func perform(_ body: @escaping () -> Void)

    func requestAuthorization(always: Bool)

    /// - Parameter completion: called once, on the manager's thread; with an error if the user was not asked.
    func requestTemporaryFullAccuracy(purposeKey: String, completion: @escaping ((any Error)?) -> Void)

    func startUpdatingLocation()
    func stopUpdatingLocation()
    func requestLocation()

    func startUpdatingHeading()
    func stopUpdatingHeading()

    func startMonitoringSignificantLocationChanges()
    func stopMonitoringSignificantLocationChanges()
    func startMonitoringVisits()
    func stopMonitoringVisits()

    /// Any region; the ones that cannot be monitored fail at the delegate.
    func startMonitoring(for region: CLRegion)
    func stopMonitoring(for region: CLRegion)
    func requestState(for region: CLRegion)
}
