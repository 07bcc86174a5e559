import Foundation
import LocationModel
import NIOConcurrencyHelpers

/// The object through which an app starts and stops location updates, and configures them.
///
/// Set a ``delegate``, ask for authorization, then start what is needed. The delegate is called on the thread that made
/// the manager.
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
/// The delegate of a manager that was made on the main thread is called on the main queue, which the main run loop,
/// `dispatchMain` and the main actor serve alike: a program that has only Swift concurrency needs no run loop. On another
/// thread, that thread's run loop has to be run. A manager that is made in a task which is not on the main thread has a queue
/// of its own, since a task's thread is only borrowed.
///
/// What the user is told an app wants its location for is in the app's manifest or, without one, in an `Info.plist` beside
/// the executable, under Apple's keys. Without either nobody is asked, and the standard error says so.
///
/// An app that is to be started for significant changes, visits and regions while it does not run has a systemd `.socket` unit
/// (`ListenStream=` with a path, `Accept=no`) of the user's: started through it, it finds what it was started for told to its
/// delegate, as soon as that is set and the same monitoring is started again.
///
/// A manager is to be used from one thread at a time. Every member can be overridden, as mocks do; that is also why all
/// of them are in the class itself, and not in extensions by theme.
open class CLLocationManager: NSObject {
    private let core: any LocationManagerCore
    private var options = LocationManagerOptions() {
        didSet { if options != oldValue { core.optionsChanged(options) } }
    }

    /// What the last call of `didUpdateLocations` ended with, which `didUpdateTo:from:` is given.
    var previousLocation: CLLocation?

    /// A manager whose delegate is called on the calling thread.
    public override init() {
        core = Backend.current.makeManagerCore()
        super.init()
        core.attach(to: self)
    }

    /// Who is told of locations, failures and changes of authorization. Default: nobody.
    ///
    /// Once set, it is called with the authorization as it is at first, and then at every change.
    open var delegate: (any CLLocationManagerDelegate)? {
        get { weakDelegate.withLockedValue(\.object) }
        set {
            weakDelegate.withLockedValue { $0.object = newValue }
            core.delegateChanged()
        }
    }

    /// Not owned, as with Apple's. Locked: it is set on one thread and called on another.
    private let weakDelegate = NIOLockedValueBox(WeakDelegate())

    private struct WeakDelegate {
        weak var object: (any CLLocationManagerDelegate)?
    }

    // MARK: Authorization

    /// What the user has granted the app.
    open var authorizationStatus: CLAuthorizationStatus { core.authorizationStatus }

    /// A Boolean value indicating whether the app gets exact locations, or only the area it is in.
    open var accuracyAuthorization: CLAccuracyAuthorization { core.accuracyAuthorization }

    /// A Boolean value indicating whether widgets of the app may use location; there are none on Linux, so `false`.
    open var isAuthorizedForWidgetUpdates: Bool { false }

    /// What the user has granted the app.
    @available(*, deprecated, message: "Use the property authorizationStatus of an instance")
    open class func authorizationStatus() -> CLAuthorizationStatus { Backend.current.authorizationStatus }

    /// Returns whether location services are on for this user and machine.
    open class func locationServicesEnabled() -> Bool { Backend.current.locationServicesEnabled }

    /// A Boolean value indicating whether location services are on for this user and machine.
    @available(*, deprecated, message: "Use the class method locationServicesEnabled()")
    open var locationServicesEnabled: Bool { Backend.current.locationServicesEnabled }

    /// Why the app wants locations. Not shown to anybody: the usage description is.
    @available(*, deprecated, message: "Set NSLocationWhenInUseUsageDescription in Info.plist, or the app's manifest")
    open var purpose: String?

    /// Asks the user for locations while the app is in use. Does nothing if that has been decided.
    open func requestWhenInUseAuthorization() { core.requestAuthorization(always: false) }

    /// Asks the user for locations at any time. Does nothing if that has been decided; from `authorizedWhenInUse` it
    /// asks once.
    open func requestAlwaysAuthorization() { core.requestAuthorization(always: true) }

    /// Asks the user for exact locations for the time that the app is in use.
    ///
    /// - Parameter purposeKey: of NSLocationTemporaryUsageDescriptionDictionary.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
        requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
    }

    /// Asks the user for exact locations for the time that the app is in use.
    ///
    /// - Parameters:
    ///   - purposeKey: of NSLocationTemporaryUsageDescriptionDictionary.
    ///   - completion: called on the manager's thread; with an error (`CLError.promptDeclined`) if the user was not
    ///     asked, with `nil` after the answer, whatever it was.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?
    ) {
        core.requestTemporaryFullAccuracy(purposeKey: purposeKey) { completion?($0) }
    }

    /// Asks the user for exact locations for the time that the app is in use.
    ///
    /// - Parameter purposeKey: of NSLocationTemporaryUsageDescriptionDictionary.
    /// - Throws: `CLError.promptDeclined` if the user was not asked.
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

    /// What the app uses locations for, which tells when it is at rest. Default: `other`.
    open var activityType: CLActivityType {
        get { options.activityType }
        set { options.activityType = newValue }
    }

    /// How far the device must move for an update, in metres. Default: `kCLDistanceFilterNone`, every location.
    open var distanceFilter: CLLocationDistance {
        get { options.distanceFilter }
        set { options.distanceFilter = newValue }
    }

    /// How accurate a location is wanted, in metres, or one of the `kCLLocationAccuracy` constants. Less accurate ones
    /// come too. Default: `kCLLocationAccuracyBest`.
    open var desiredAccuracy: CLLocationAccuracy {
        get { options.desiredAccuracy }
        set { options.desiredAccuracy = newValue }
    }

    /// A Boolean value indicating whether updates pause while the device is at rest. Default: `true`.
    open var pausesLocationUpdatesAutomatically: Bool {
        get { options.pausesLocationUpdatesAutomatically }
        set { options.pausesLocationUpdatesAutomatically = newValue }
    }

    /// A Boolean value indicating whether updates that began in use go on in the background. Default: `false`.
    open var allowsBackgroundLocationUpdates: Bool {
        get { options.allowsBackgroundLocationUpdates }
        set { options.allowsBackgroundLocationUpdates = newValue }
    }

    /// A Boolean value indicating whether the indicator shows the app as active while it uses locations in the background
    /// with `authorizedAlways`.
    /// With `authorizedWhenInUse` it always does. Default: `false`.
    open var showsBackgroundLocationIndicator: Bool {
        get { options.showsBackgroundLocationIndicator }
        set { options.showsBackgroundLocationIndicator = newValue }
    }

    /// The newest location; `nil` before the first. In a delegate's method it is already the one that is told.
    open var location: CLLocation? { core.location }

    /// Starts location updates, until ``stopUpdatingLocation()``. Does nothing if they run.
    open func startUpdatingLocation() { core.startUpdatingLocation() }

    /// Ends location updates, and a request for one location.
    open func stopUpdatingLocation() { core.stopUpdatingLocation() }

    /// Asks for one location of the desired accuracy, or the best that came in time. The delegate must implement
    /// `didUpdateLocations` and `didFailWithError`.
    open func requestLocation() { core.requestLocation() }

    /// Returns whether updates can be put off to save energy; they cannot on Linux, so `false`.
    @available(*, deprecated, message: "Updates cannot be deferred any more")
    open class func deferredLocationUpdatesAvailable() -> Bool { false }

    /// Puts off updates to save energy; the delegate is told that this failed.
    @available(*, deprecated, message: "Updates cannot be deferred any more")
    open func allowDeferredLocationUpdates(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {
        tell { manager, delegate in
            delegate.locationManager(manager, didFinishDeferredUpdatesWithError: CLError(.deferredFailed))
        }
    }

    /// Does nothing: updates are never put off.
    @available(*, deprecated, message: "Updates cannot be deferred any more")
    open func disallowDeferredLocationUpdates() {}

    // MARK: Significant changes and visits

    /// Returns whether significant changes can be monitored: `true`.
    open class func significantLocationChangeMonitoringAvailable() -> Bool { true }

    /// Starts updates for movements of at least 500 m, also while the app does not run. Needs `authorizedAlways`.
    open func startMonitoringSignificantLocationChanges() { core.startMonitoringSignificantLocationChanges() }

    /// Ends what ``startMonitoringSignificantLocationChanges()`` began.
    open func stopMonitoringSignificantLocationChanges() { core.stopMonitoringSignificantLocationChanges() }

    /// Starts telling the delegate of visits. Needs `authorizedAlways`.
    open func startMonitoringVisits() { core.startMonitoringVisits() }

    /// Ends what ``startMonitoringVisits()`` began.
    open func stopMonitoringVisits() { core.stopMonitoringVisits() }

    // MARK: Heading

    /// Returns whether there may be a receiver that tells headings: `true` until the daemon has found none for this
    /// program.
    open class func headingAvailable() -> Bool { Backend.current.headingAvailable }

    /// A Boolean value indicating whether there may be a receiver that tells headings.
    @available(*, deprecated, message: "Use the class method headingAvailable()")
    open var headingAvailable: Bool { Backend.current.headingAvailable }

    /// How far the device must turn for an update, in degrees. Default: 1. `kCLHeadingFilterNone` for every heading.
    open var headingFilter: CLLocationDegrees {
        get { options.headingFilter }
        set { options.headingFilter = newValue }
    }

    /// Which side of the device is its front. Default: `portrait`. `unknown`, `faceUp` and `faceDown` are ignored.
    open var headingOrientation: CLDeviceOrientation {
        get { options.headingOrientation }
        set {
            switch newValue {
            case .unknown, .faceUp, .faceDown: break
            case .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight: options.headingOrientation = newValue
            }
        }
    }

    /// The newest heading; `nil` before the first.
    open var heading: CLHeading? { core.heading }

    /// Starts heading updates, the first at once. Fails with `CLError.headingFailure` where no receiver tells any.
    open func startUpdatingHeading() { core.startUpdatingHeading() }

    /// Ends heading updates.
    open func stopUpdatingHeading() { core.stopUpdatingHeading() }

    /// Does nothing: there is no calibration display.
    open func dismissHeadingCalibrationDisplay() {}

    // MARK: Regions

    /// Returns whether regions of a class can be monitored: `true` for `CLCircularRegion` and its subclasses.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
        regionClass is CLCircularRegion.Type
    }

    /// Returns whether regions can be monitored: `true`.
    @available(*, deprecated, renamed: "isMonitoringAvailable(for:)")
    open class func regionMonitoringAvailable() -> Bool { true }

    /// Returns whether regions can be monitored, and location services are on.
    @available(*, deprecated, message: "Use isMonitoringAvailable(for:) and authorizationStatus")
    open class func regionMonitoringEnabled() -> Bool { Backend.current.locationServicesEnabled }

    /// The largest radius of a region that can be monitored, in metres.
    open var maximumRegionMonitoringDistance: CLLocationDistance { CircularRegion.radii.upperBound }

    /// The app's regions, whichever manager they were added to, also in earlier runs.
    open var monitoredRegions: Set<CLRegion> { core.monitoredRegions }

    /// Starts telling the delegate of crossings of `region`, at most 20 an app; one of the same identifier is replaced.
    ///
    /// From iOS 27 on, Apple deprecates it in favour of ``CLMonitor``.
    open func startMonitoring(for region: CLRegion) { core.startMonitoring(for: region) }

    /// Starts telling the delegate of crossings of `region`.
    @available(*, deprecated, renamed: "startMonitoring(for:)")
    open func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy) {
        startMonitoring(for: region)
    }

    /// Ends the monitoring of the region with the identifier of `region`.
    open func stopMonitoring(for region: CLRegion) { core.stopMonitoring(for: region) }

    /// Asks whether the device is inside of `region`, which the delegate is told.
    open func requestState(for region: CLRegion) { core.requestState(for: region) }

    // MARK: Beacons

    /// Returns whether the distance to beacons can be told; it cannot on Linux, so `false`.
    open class func isRangingAvailable() -> Bool { false }

    /// The constraints that beacons are sought for: none.
    open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }

    /// Tells the delegate that ranging failed: `CLError.rangingUnavailable`.
    open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        tell { manager, delegate in
            delegate.locationManager(manager, didFailRangingFor: constraint, error: CLError(.rangingUnavailable))
        }
    }

    /// Does nothing: no beacons are sought for.
    open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}

    /// The regions that beacons are sought for: none.
    @available(*, deprecated, renamed: "rangedBeaconConstraints")
    open var rangedRegions: Set<CLRegion> { [] }

    /// Tells the delegate that ranging failed: `CLError.rangingUnavailable`.
    @available(*, deprecated, renamed: "startRangingBeacons(satisfying:)")
    open func startRangingBeacons(in region: CLBeaconRegion) {
        tell { manager, delegate in
            delegate.locationManager(
                manager, rangingBeaconsDidFailFor: region, withError: CLError(.rangingUnavailable))
        }
    }

    /// Does nothing: no beacons are sought for.
    @available(*, deprecated, renamed: "stopRangingBeacons(satisfying:)")
    open func stopRangingBeacons(in region: CLBeaconRegion) {}

    // MARK: Push and history

    /// Registers for pushes that ask for the location; the completion is told that the platform has none.
    ///
    /// - Parameter completion: called on the manager's thread with a token or an error, here
    ///   `CLLocationPushServiceError.unsupportedPlatform`.
    open func startMonitoringLocationPushes(completion: ((Data?, (any Error)?) -> Void)?) {
        core.perform { completion?(nil, CLLocationPushServiceError(.unsupportedPlatform)) }
    }

    /// Registers for pushes that ask for the location.
    ///
    /// - Returns: a token for the server that pushes.
    /// - Throws: `CLLocationPushServiceError.unsupportedPlatform`, always.
    nonisolated(nonsending) open func startMonitoringLocationPushes() async throws -> Data {
        throw CLLocationPushServiceError(.unsupportedPlatform)
    }

    /// Does nothing: no pushes are waited for.
    open func stopMonitoringLocationPushes() {}

    /// Asks for locations of the past; the completion is told that there are none.
    ///
    /// - Parameters:
    ///   - purposeKey: of NSLocationTemporaryUsageDescriptionDictionary.
    ///   - sampleCount: how many of them, at most.
    ///   - completionHandler: called on the manager's thread, here with no locations and
    ///     `CLError.historicalLocationError`.
    open func requestHistoricalLocations(
        purposeKey: String, sampleCount: Int, completionHandler: @escaping ([CLLocation], (any Error)?) -> Void
    ) {
        core.perform { completionHandler([], CLError(.historicalLocationError)) }
    }

    /// Asks for locations of the past.
    ///
    /// - Throws: `CLError.historicalLocationError`, always.
    nonisolated(nonsending) open func requestHistoricalLocations(
        purposeKey: String, sampleCount: Int
    ) async throws -> [CLLocation] {
        throw CLError(.historicalLocationError)
    }

    /// Calls the delegate on the manager's thread, if there is one by then.
    private func tell(_ event: @escaping (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
        core.perform { [weak self] in
            guard let self, let delegate else { return }
            event(self, delegate)
        }
    }
}
