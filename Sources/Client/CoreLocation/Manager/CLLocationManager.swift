import Foundation

/// The object for configuring, starting and stopping an app's location updates.
///
/// Set a ``delegate``, request authorization, then start the updates that the app needs. The delegate is called on
/// the thread that created the manager.
///
/// ```swift
/// final class Tracker: NSObject, CLLocationManagerDelegate {
///     private let manager = CLLocationManager()
///
///     func start() {
///         manager.delegate = self
///         manager.requestWhenInUseAuthorization()
///         manager.startUpdatingLocation()
///     }
///
///     func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
///         print(locations.last!)
///     }
///
///     func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
///         print(error)
///     }
/// }
/// ```
///
/// The delegate of a manager created on the main thread is called on the main queue. The main run loop, `dispatchMain`
/// and the main actor all serve that queue, so a program that uses only Swift concurrency needs no run loop. On another
/// thread, the app must run that thread's run loop. A manager created in a task off the main thread has a queue of its
/// own, because a task only borrows its thread.
///
/// A prompt shows the reason from the app's manifest or, without one, from an `Info.plist` beside the executable, under
/// Apple's keys. Without either, the user is not prompted, and a message is written to standard error. Such a message
/// also appears if an app uses locations without having or requesting an authorization, or has too many connections to
/// the daemon.
///
/// To be started for significant changes, visits and regions while it is not running, an app needs `authorizedAlways`
/// and a systemd `.socket` unit of the user (`ListenStream=` with a path, `Accept=no`). Once started through that unit,
/// the app finds the events reported to its delegate as soon as the delegate is set and the same monitoring is started
/// again.
///
/// Use a manager from one thread at a time. Every member can be overridden, as mocks do. That is also why all members
/// are in the class itself rather than in extensions by topic.
open class CLLocationManager: NSObject {
    private let core: any LocationManagerCore
    private var options = LocationManagerOptions() {
        didSet { if options != oldValue { core.optionsChanged(options) } }
    }

    /// The last location passed to `didUpdateTo:from:`, which is the old location in the next call.
    package var previousLocation: CLLocation?

    /// Creates a manager whose delegate is called on the calling thread.
    public override init() {
        core = Backend.current.makeManagerCore()
        super.init()
        core.attach(to: self)
    }

    /// The object that receives locations, failures and changes of authorization. Default: `nil`.
    ///
    /// The manager does not retain it. Once set, it is notified of the current authorization, then of every change.
    open var delegate: (any CLLocationManagerDelegate)? {
        get { delegateLock.withLock { weakDelegate } }
        set {
            delegateLock.withLock { weakDelegate = newValue }
            core.delegateChanged()
        }
    }

    /// Weak, as in Apple's class.
    private weak var weakDelegate: (any CLLocationManagerDelegate)?
    /// Protects `weakDelegate`, which is set on one thread and called on another.
    private let delegateLock = NSLock()

    // MARK: Authorization

    /// The authorization of the app to use locations.
    open var authorizationStatus: CLAuthorizationStatus { core.authorizationStatus }

    /// The accuracy of the locations that the app is authorized to receive.
    open var accuracyAuthorization: CLAccuracyAuthorization { core.accuracyAuthorization }

    /// A Boolean value indicating whether widgets of the app may use locations. Always `false`: Linux has no widgets.
    open var isAuthorizedForWidgetUpdates: Bool { false }

    /// The authorization of the app to use locations.
    @available(*, deprecated, message: "Use the property authorizationStatus of an instance")
    open class func authorizationStatus() -> CLAuthorizationStatus { Backend.current.authorizationStatus }

    /// Returns whether location services are on for this user and machine.
    open class func locationServicesEnabled() -> Bool { Backend.current.locationServicesEnabled }

    /// A Boolean value indicating whether location services are on for this user and machine.
    @available(*, deprecated, message: "Use the class method locationServicesEnabled()")
    open var locationServicesEnabled: Bool { Backend.current.locationServicesEnabled }

    /// The app's reason for using locations. Prompts do not show it: they show the usage description.
    @available(*, deprecated, message: "Set NSLocationWhenInUseUsageDescription in Info.plist, or the app's manifest")
    open var purpose: String?

    /// Requests authorization to use locations while the app is in use. Does nothing if the user has already decided.
    open func requestWhenInUseAuthorization() { core.requestAuthorization(always: false) }

    /// Requests authorization to use locations at any time. Does nothing if the user has already decided, but prompts
    /// once more if the decision was `authorizedWhenInUse`.
    open func requestAlwaysAuthorization() { core.requestAuthorization(always: true) }

    /// Requests temporary full accuracy, which ends shortly after the app exits.
    ///
    /// - Parameter purposeKey: A key of NSLocationTemporaryUsageDescriptionDictionary.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
        requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
    }

    /// Requests temporary full accuracy, which ends shortly after the app exits.
    ///
    /// - Parameters:
    ///   - purposeKey: A key of NSLocationTemporaryUsageDescriptionDictionary.
    ///   - completion: A closure that is called on the manager's thread. It receives `CLError.promptDeclined` if the
    ///     user was not prompted, and `nil` once the user has answered, whatever the answer.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?
    ) {
        core.requestTemporaryFullAccuracy(purposeKey: purposeKey) { completion?($0) }
    }

    /// Requests temporary full accuracy, which ends shortly after the app exits.
    ///
    /// - Parameter purposeKey: A key of NSLocationTemporaryUsageDescriptionDictionary.
    /// - Throws: `CLError.promptDeclined` if the user was not prompted.
    nonisolated(nonsending)
        open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws
    {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    // MARK: Location

    /// The purpose of the app's use of locations. It decides when the device counts as stationary. Default: `other`.
    open var activityType: CLActivityType {
        get { options.activityType }
        set { options.activityType = newValue }
    }

    /// The distance in metres that the device must move before the next update. Default: `kCLDistanceFilterNone`,
    /// which lets every location through.
    open var distanceFilter: CLLocationDistance {
        get { options.distanceFilter }
        set { options.distanceFilter = newValue }
    }

    /// The accuracy in metres that the app needs, or one of the `kCLLocationAccuracy` constants. Less accurate
    /// locations are reported as well. Default: `kCLLocationAccuracyBest`.
    open var desiredAccuracy: CLLocationAccuracy {
        get { options.desiredAccuracy }
        set { options.desiredAccuracy = newValue }
    }

    /// A Boolean value indicating whether updates pause while the device is stationary. Default: `true`.
    ///
    /// A device that creeps within 15 m counts as stationary, unless its receiver gets corrections and `distanceFilter`
    /// is at most a metre.
    open var pausesLocationUpdatesAutomatically: Bool {
        get { options.pausesLocationUpdatesAutomatically }
        set { options.pausesLocationUpdatesAutomatically = newValue }
    }

    /// A Boolean value indicating whether updates that began while the app was in use continue in the background.
    /// Default: `false`.
    open var allowsBackgroundLocationUpdates: Bool {
        get { options.allowsBackgroundLocationUpdates }
        set { options.allowsBackgroundLocationUpdates = newValue }
    }

    /// A Boolean value indicating whether the indicator shows the app as active while it uses locations in the
    /// background with `authorizedAlways`. With `authorizedWhenInUse` the indicator always shows it. Default:
    /// `false`.
    open var showsBackgroundLocationIndicator: Bool {
        get { options.showsBackgroundLocationIndicator }
        set { options.showsBackgroundLocationIndicator = newValue }
    }

    /// The newest location received by any manager of this process while one of them receives updates, or else the
    /// daemon's last known location that the app may have. It may be old: see its `timestamp`. `nil` if there is none,
    /// or while the app is not authorized. When a delegate method receives a location, this property already holds it.
    ///
    /// Reading it starts no receiver. While no manager receives updates, each reading asks the daemon, and may wait
    /// briefly for its answer.
    /// With `kCLLocationAccuracyReduced` as the ``desiredAccuracy``, only locations that were requested with it count.
    open var location: CLLocation? { core.location }

    /// Starts location updates, which last until ``stopUpdatingLocation()``, and cancels a pending
    /// ``requestLocation()``. Does nothing if updates have already been started.
    open func startUpdatingLocation() { core.startUpdatingLocation() }

    /// Stops location updates, and cancels a pending ``requestLocation()``.
    open func stopUpdatingLocation() { core.stopUpdatingLocation() }

    /// Requests one location of the desired accuracy, or the best one found in time. Does nothing after
    /// ``startUpdatingLocation()``, whose updates report the location. The delegate must implement
    /// `didUpdateLocations` and `didFailWithError`.
    open func requestLocation() { core.requestLocation() }

    /// Returns whether updates can be deferred to save energy. Always `false` on Linux.
    @available(*, deprecated, message: "Updates cannot be deferred any more")
    open class func deferredLocationUpdatesAvailable() -> Bool { false }

    /// Reports `CLError.deferredFailed` to the delegate, because updates cannot be deferred.
    @available(*, deprecated, message: "Updates cannot be deferred any more")
    open func allowDeferredLocationUpdates(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {
        callDelegate { manager, delegate in
            delegate.locationManager(manager, didFinishDeferredUpdatesWithError: CLError(.deferredFailed))
        }
    }

    /// Does nothing: updates are never deferred.
    @available(*, deprecated, message: "Updates cannot be deferred any more")
    open func disallowDeferredLocationUpdates() {}

    // MARK: Significant changes and visits

    /// Returns whether significant changes can be monitored. Always `true`.
    open class func significantLocationChangeMonitoringAvailable() -> Bool { true }

    /// Starts updates for movements of at least 500 m. With `authorizedWhenInUse`, they come while the app is in use;
    /// with `authorizedAlways`, also in the background and while the app is not running.
    open func startMonitoringSignificantLocationChanges() { core.startMonitoringSignificantLocationChanges() }

    /// Stops the updates that ``startMonitoringSignificantLocationChanges()`` started.
    open func stopMonitoringSignificantLocationChanges() { core.stopMonitoringSignificantLocationChanges() }

    /// Starts reporting visits to the delegate. With `authorizedWhenInUse`, a visit begins when the app comes into use,
    /// at the earliest, and is not reported once the app goes to the background; with `authorizedAlways`, visits are
    /// reported in the background too, and while the app is not running.
    open func startMonitoringVisits() { core.startMonitoringVisits() }

    /// Stops the reports that ``startMonitoringVisits()`` started.
    open func stopMonitoringVisits() { core.stopMonitoringVisits() }

    // MARK: Heading

    /// Returns whether a receiver may report headings. `false` if the daemon does not answer, or knows that there is no
    /// compass.
    open class func headingAvailable() -> Bool { Backend.current.headingAvailable }

    /// A Boolean value indicating whether a receiver may report headings.
    @available(*, deprecated, message: "Use the class method headingAvailable()")
    open var headingAvailable: Bool { Backend.current.headingAvailable }

    /// The angle in degrees that the device must turn before the next update. Default: 1. `kCLHeadingFilterNone` lets
    /// every heading through.
    open var headingFilter: CLLocationDegrees {
        get { options.headingFilter }
        set { options.headingFilter = newValue }
    }

    /// The orientation of the device; headings are adjusted to it. Default: `portrait`. `unknown`, `faceUp` and
    /// `faceDown` are ignored.
    open var headingOrientation: CLDeviceOrientation {
        get { options.headingOrientation }
        set {
            switch newValue {
            case .unknown, .faceUp, .faceDown: break
            case .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight: options.headingOrientation = newValue
            }
        }
    }

    /// The newest heading, or `nil` before the first, and while the app is not authorized with full accuracy.
    open var heading: CLHeading? { core.heading }

    /// Starts heading updates. The first one comes at once. Fails with `CLError.headingFailure` if no receiver
    /// reports headings.
    open func startUpdatingHeading() { core.startUpdatingHeading() }

    /// Stops heading updates.
    open func stopUpdatingHeading() { core.stopUpdatingHeading() }

    /// Does nothing: Linux has no calibration display.
    open func dismissHeadingCalibrationDisplay() {}

    // MARK: Regions

    /// Returns whether regions of a class can be monitored: `true` for `CLCircularRegion` and its subclasses, and what
    /// ``isRangingAvailable()`` returns for `CLBeaconRegion`.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
        regionClass is CLCircularRegion.Type || regionClass is CLBeaconRegion.Type && isRangingAvailable()
    }

    /// Returns whether regions can be monitored. Always `true`.
    @available(*, deprecated, renamed: "isMonitoringAvailable(for:)")
    open class func regionMonitoringAvailable() -> Bool { true }

    /// Returns whether regions can be monitored and location services are on.
    @available(*, deprecated, message: "Use isMonitoringAvailable(for:) and authorizationStatus")
    open class func regionMonitoringEnabled() -> Bool { Backend.current.locationServicesEnabled }

    /// The largest radius of a region that can be monitored, in metres.
    open var maximumRegionMonitoringDistance: CLLocationDistance { Backend.current.largestRegionRadius }

    /// The regions monitored by the app's managers, including regions added in earlier runs.
    open var monitoredRegions: Set<CLRegion> { core.monitoredRegions }

    /// Starts reporting crossings of `region` to the delegate. It replaces a region with the same identifier. An app
    /// may monitor at most 20 regions.
    ///
    /// Apple deprecates this method in favour of ``CLMonitor`` from iOS 27 on.
    open func startMonitoring(for region: CLRegion) { core.startMonitoring(for: region) }

    /// Starts reporting crossings of `region` to the delegate.
    @available(*, deprecated, renamed: "startMonitoring(for:)")
    open func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy) {
        startMonitoring(for: region)
    }

    /// Stops monitoring the region with the identifier of `region`.
    open func stopMonitoring(for region: CLRegion) { core.stopMonitoring(for: region) }

    /// Requests the state of `region`: whether the device is inside it. The answer is reported to the delegate as soon
    /// as the first locations have determined the state, or as `unknown` after 30 s.
    open func requestState(for region: CLRegion) { core.requestState(for: region) }

    // MARK: Beacons

    /// Returns whether the distance to beacons can be measured: the machine has a Bluetooth adapter, which may be off.
    /// `false` if the daemon does not answer.
    open class func isRangingAvailable() -> Bool { Backend.current.rangingAvailable }

    /// The constraints of the beacons that are ranged.
    open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { core.rangedConstraints }

    /// Starts to report the beacons that satisfy a constraint to the delegate, once a second, the nearest first. Needs
    /// full accuracy. Fails with `CLError.rangingUnavailable` while no adapter can be used, and goes on once one can.
    open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        core.startRangingBeacons(satisfying: constraint)
    }

    /// Stops the reports that ``startRangingBeacons(satisfying:)`` started.
    open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        core.stopRangingBeacons(satisfying: constraint)
    }

    /// The regions for ranging beacons.
    @available(*, deprecated, renamed: "rangedBeaconConstraints")
    open var rangedRegions: Set<CLRegion> { core.rangedRegions }

    /// Starts to report the beacons of a region to the delegate, as ``startRangingBeacons(satisfying:)`` does.
    @available(*, deprecated, renamed: "startRangingBeacons(satisfying:)")
    open func startRangingBeacons(in region: CLBeaconRegion) { core.startRangingBeacons(in: region) }

    /// Stops the reports that ``startRangingBeacons(in:)`` started.
    @available(*, deprecated, renamed: "stopRangingBeacons(satisfying:)")
    open func stopRangingBeacons(in region: CLBeaconRegion) { core.stopRangingBeacons(in: region) }

    // MARK: Push and history

    /// Registers for pushes that request the location. `completion` is called on the manager's thread, on Linux always
    /// with `CLLocationPushServiceError.unsupportedPlatform`.
    open func startMonitoringLocationPushes(completion: ((Data?, (any Error)?) -> Void)?) {
        core.perform { completion?(nil, CLLocationPushServiceError(.unsupportedPlatform)) }
    }

    /// Registers for pushes that request the location. Always throws `CLLocationPushServiceError.unsupportedPlatform` on
    /// Linux.
    nonisolated(nonsending) open func startMonitoringLocationPushes() async throws -> Data {
        throw CLLocationPushServiceError(.unsupportedPlatform)
    }

    /// Does nothing: Linux has no location pushes.
    open func stopMonitoringLocationPushes() {}

    /// Requests past locations. `completionHandler` is called on the manager's thread, on Linux always with
    /// `CLError.historicalLocationError`.
    open func requestHistoricalLocations(
        purposeKey: String, sampleCount: Int, completionHandler: @escaping ([CLLocation], (any Error)?) -> Void
    ) {
        core.perform { completionHandler([], CLError(.historicalLocationError)) }
    }

    /// Requests past locations. Always throws `CLError.historicalLocationError` on Linux.
    nonisolated(nonsending) open func requestHistoricalLocations(
        purposeKey: String, sampleCount: Int
    ) async throws -> [CLLocation] {
        throw CLError(.historicalLocationError)
    }

    /// Calls `event` on the manager's thread, if there is a delegate by then.
    private func callDelegate(_ event: @escaping (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
        core.perform { [weak self] in
            guard let self, let delegate else { return }
            event(self, delegate)
        }
    }
}
