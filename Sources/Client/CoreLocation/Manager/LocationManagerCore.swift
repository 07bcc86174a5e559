/// The implementation of one `CLLocationManager`, which is only the public surface.
///
/// A core is created on the thread that creates its manager. Only the manager holds it, and it holds the manager
/// weakly. The app calls the manager, and so the core, from any thread. The core calls the manager's `delegate` and
/// the completions on the manager's thread only, in the order of the events, and never from within one of these
/// methods. Before the core passes a location or heading to the delegate, `location` or `heading` holds it.
///
/// The core does not check which of two delegate methods for the same event is implemented: it calls the newer one,
/// whose default implementation calls the older one (see `CLLocationManagerDelegate`).
package protocol LocationManagerCore: AnyObject {
    /// The last known value. Reading it for the first time may block, but only briefly.
    var authorizationStatus: CLAuthorizationStatus { get }
    /// The last known value. Reading it for the first time may block, but only briefly.
    var accuracyAuthorization: CLAccuracyAuthorization { get }
    /// The newest location received by this process, or else the daemon's last known location that the app may have.
    /// `nil` if there is none, or while the app is not authorized. Reading it may block, but only briefly, while the
    /// process has received none.
    var location: CLLocation? { get }
    /// The newest heading, or `nil` before the first.
    var heading: CLHeading? { get }
    /// The regions monitored by the app's managers, including regions added in earlier runs.
    var monitoredRegions: Set<CLRegion> { get }

    /// Connects the core with its manager. Called once, before every other method.
    func attach(to manager: CLLocationManager)

    /// Handles a change of the manager's delegate, which may now be `nil`.
    func delegateChanged()

    /// Applies new options to running and later updates.
    func optionsChanged(_ options: LocationManagerOptions)

    /// Calls `body` on the manager's thread after all queued work, or not at all if the manager is gone.
    func perform(_ body: @escaping () -> Void)

    func requestAuthorization(always: Bool)

    /// Requests temporary full accuracy.
    ///
    /// - Parameter completion: A closure that is called once, on the manager's thread. It receives an error if the
    ///   user was not prompted.
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

    /// Starts monitoring `region`, which may be of any kind. A region that cannot be monitored is reported to the
    /// delegate.
    func startMonitoring(for region: CLRegion)
    func stopMonitoring(for region: CLRegion)
    func requestState(for region: CLRegion)

    /// The constraints that are ranged.
    var rangedConstraints: Set<CLBeaconIdentityConstraint> { get }
    /// The regions that are ranged, by the deprecated methods.
    var rangedRegions: Set<CLRegion> { get }
    func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint)
    func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint)
    func startRangingBeacons(in region: CLBeaconRegion)
    func stopRangingBeacons(in region: CLBeaconRegion)
}

/// The settings of a manager. Each is a property of `CLLocationManager` with the same name.
package struct LocationManagerOptions: Equatable, Sendable {
    package var activityType = CLActivityType.other
    /// Metres, or `kCLDistanceFilterNone` for every movement.
    package var distanceFilter = kCLDistanceFilterNone
    /// Metres, or one of the `kCLLocationAccuracy` constants.
    package var desiredAccuracy = kCLLocationAccuracyBest
    package var pausesLocationUpdatesAutomatically = true
    package var allowsBackgroundLocationUpdates = false
    package var showsBackgroundLocationIndicator = false
    /// Degrees, or `kCLHeadingFilterNone` for every change.
    package var headingFilter: CLLocationDegrees = 1
    package var headingOrientation = CLDeviceOrientation.portrait

    package init() {}
}
