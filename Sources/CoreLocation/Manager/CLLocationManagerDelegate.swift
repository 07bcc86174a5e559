import Foundation

/// What a `CLLocationManager` tells. Every method is optional: implement those that are wanted.
///
/// Of two methods for the same event, the newer one and the one that it replaced, only one is called: the newer one,
/// where it is implemented. All are called on the thread that made the manager.
///
/// A method must be implemented by the class that declares the conformance, or by an extension of it: what a subclass
/// of it adds is not found, other than on Apple's platforms. A subclass can override.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// There are new locations: at least one, the newest last.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])

    /// There is a new location.
    ///
    /// The old location is the one before; the first time it is the new one.
    @available(*, deprecated, renamed: "locationManager(_:didUpdateLocations:)")
    func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation)

    /// Something failed: a `CLError`. After `denied` nothing more comes; after `locationUnknown` something may.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)

    /// The authorization or its accuracy has changed, or is told for the first time: ask the manager.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)

    /// The authorization has changed, or is told for the first time.
    @available(*, deprecated, renamed: "locationManagerDidChangeAuthorization(_:)")
    func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)

    /// The device rests: there are no locations for now.
    func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)

    /// The device moves again.
    func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)

    /// Updates are not put off any more.
    func locationManager(_ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)

    /// The device points elsewhere.
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)

    /// Returns whether the user may be asked to calibrate the compass; never asked on Linux.
    func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool

    /// Returns whether the device is inside of `region`: asked for by `requestState(for:)`, and told of every crossing.
    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)

    /// The device has entered `region`.
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)

    /// The device has left `region`.
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)

    /// `region` is monitored now.
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)

    /// `region`, or the monitoring as a whole if that is `nil`, failed: a `CLError`.
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)

    /// A visit has begun or ended.
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)

    /// There are beacons near.
    func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint)

    /// Beacons cannot be sought for.
    func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error)

    /// There are beacons near.
    @available(*, deprecated, renamed: "locationManager(_:didRange:satisfying:)")
    func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion)

    /// Beacons cannot be sought for.
    @available(*, deprecated, renamed: "locationManager(_:didFailRangingFor:error:)")
    func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error)
}
