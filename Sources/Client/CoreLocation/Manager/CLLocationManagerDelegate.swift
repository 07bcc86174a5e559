import Foundation

/// The events of a `CLLocationManager`. Every method is optional: implement only the ones that the app needs.
///
/// Some events have a newer method and an older one. Only one of the two is called: the newer one if it is implemented.
/// All methods are called on the thread that created the manager.
///
/// Implement a method in the class that declares the conformance, or in an extension of that class. A method that
/// only a subclass adds is not called, unlike on Apple's platforms. A subclass can override an implemented method.
///
/// Optional calls such as `delegate?.locationManager?(manager, didUpdateLocations: locations)` reach the method of the
/// delegate or, if it does not implement the method, the default implementation.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Receives new locations: at least one, with the newest last.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])

    /// Receives a new location.
    ///
    /// The old location is the one before it. The first time, it is the new location itself.
    @available(*, deprecated, renamed: "locationManager(_:didUpdateLocations:)")
    func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation)

    /// Receives a failure, which is a `CLError`. After `denied`, updates resume only if the user grants access later.
    /// After `locationUnknown`, they resume as soon as a location is available.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)

    /// Handles a change of the authorization status or accuracy, and their first report. The manager has the new
    /// values.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)

    /// Handles a change of the authorization status, and its first report.
    @available(*, deprecated, renamed: "locationManagerDidChangeAuthorization(_:)")
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)

    /// Handles a pause of location updates because the device is stationary.
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)

    /// Handles the end of a pause because the device is moving again.
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)

    /// Handles the end of deferred updates.
    func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)

    /// Receives a new heading.
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)

    /// Returns whether the user may be prompted to calibrate the compass. Never called on Linux.
    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool

    /// Receives the state of `region`, after a call of `requestState(for:)` and after every crossing.
    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)

    /// Handles the device's entry into `region`.
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)

    /// Handles the device's exit from `region`.
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)

    /// Handles the start of monitoring `region`.
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)

    /// Receives a failure to monitor `region`, or all regions if that is `nil`. The failure is a `CLError`.
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)

    /// Receives a visit that has begun or ended.
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)

    /// Receives the beacons near the device, once a second: also an empty list if there is none.
    func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint)

    /// Receives a failure to range beacons.
    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error)

    /// Receives the beacons near the device, once a second: also an empty list if there is none.
    @available(*, deprecated, renamed: "locationManager(_:didRange:satisfying:)")
    func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion)

    /// Receives a failure to range beacons.
    @available(*, deprecated, renamed: "locationManager(_:didFailRangingFor:error:)")
    func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error)
}
