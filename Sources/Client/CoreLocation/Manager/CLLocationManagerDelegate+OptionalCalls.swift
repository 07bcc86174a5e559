import Foundation

// The methods of Apple's protocol are optional, so source code for it calls them with `?(` or `!(`, as mocks, proxies
// and multicast delegates do. Here each method has a default implementation instead of being optional. The properties
// below have the names of the methods and optional types, and so make these calls compile as well. `locationManager` is
// a disfavored overload: it gives way to a property of this name in a protocol of the app, as to one in a class.
extension CLLocationManagerDelegate {
    /// The methods named `locationManager`, for optional calls such as
    /// `delegate?.locationManager?(manager, didUpdateLocations: locations)`. Never `nil`: a method that the delegate
    /// does not implement has a default implementation.
    ///
    /// A class that has a property of this name, usually its manager, keeps it.
    @_disfavoredOverload
    public var locationManager: CLLocationManagerDelegateMethods? { CLLocationManagerDelegateMethods(delegate: self) }

    /// The method of the same name, for optional calls. Never `nil`.
    public var locationManagerDidChangeAuthorization: ((CLLocationManager) -> Void)? {
        { self.locationManagerDidChangeAuthorization($0) }
    }

    /// The method of the same name, for optional calls. Never `nil`.
    public var locationManagerDidPauseLocationUpdates: ((CLLocationManager) -> Void)? {
        { self.locationManagerDidPauseLocationUpdates($0) }
    }

    /// The method of the same name, for optional calls. Never `nil`.
    public var locationManagerDidResumeLocationUpdates: ((CLLocationManager) -> Void)? {
        { self.locationManagerDidResumeLocationUpdates($0) }
    }

    /// The method of the same name, for optional calls. Never `nil`.
    public var locationManagerShouldDisplayHeadingCalibration: ((CLLocationManager) -> Bool)? {
        { self.locationManagerShouldDisplayHeadingCalibration($0) }
    }
}

/// The methods of a delegate that are named `locationManager`. Apps use it in optional calls only, such as
/// `delegate?.locationManager?(manager, didUpdateLocations: locations)`.
///
/// Each function calls the delegate's method with the same parameters.
public struct CLLocationManagerDelegateMethods {
    let delegate: any CLLocationManagerDelegate

    /// Calls `locationManager(_:didUpdateLocations:)`.
    public func callAsFunction(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        delegate.locationManager(manager, didUpdateLocations: locations)
    }

    /// Calls `locationManager(_:didUpdateTo:from:)`.
    @available(*, deprecated, message: "Call locationManager(_:didUpdateLocations:)")
    public func callAsFunction(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
    ) {
        delegate.locationManager(manager, didUpdateTo: newLocation, from: oldLocation)
    }

    /// Calls `locationManager(_:didFailWithError:)`.
    public func callAsFunction(_ manager: CLLocationManager, didFailWithError error: any Error) {
        delegate.locationManager(manager, didFailWithError: error)
    }

    /// Calls `locationManager(_:didChangeAuthorization:)`.
    @available(*, deprecated, message: "Call locationManagerDidChangeAuthorization(_:)")
    public func callAsFunction(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
        delegate.locationManager(manager, didChangeAuthorization: status)
    }

    /// Calls `locationManager(_:didFinishDeferredUpdatesWithError:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) {
        delegate.locationManager(manager, didFinishDeferredUpdatesWithError: error)
    }

    /// Calls `locationManager(_:didUpdateHeading:)`.
    public func callAsFunction(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        delegate.locationManager(manager, didUpdateHeading: newHeading)
    }

    /// Calls `locationManager(_:didDetermineState:for:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        delegate.locationManager(manager, didDetermineState: state, for: region)
    }

    /// Calls `locationManager(_:didEnterRegion:)`.
    public func callAsFunction(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        delegate.locationManager(manager, didEnterRegion: region)
    }

    /// Calls `locationManager(_:didExitRegion:)`.
    public func callAsFunction(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        delegate.locationManager(manager, didExitRegion: region)
    }

    /// Calls `locationManager(_:didStartMonitoringFor:)`.
    public func callAsFunction(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        delegate.locationManager(manager, didStartMonitoringFor: region)
    }

    /// Calls `locationManager(_:monitoringDidFailFor:withError:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {
        delegate.locationManager(manager, monitoringDidFailFor: region, withError: error)
    }

    /// Calls `locationManager(_:didVisit:)`.
    public func callAsFunction(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        delegate.locationManager(manager, didVisit: visit)
    }

    /// Calls `locationManager(_:didRange:satisfying:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {
        delegate.locationManager(manager, didRange: beacons, satisfying: beaconConstraint)
    }

    /// Calls `locationManager(_:didFailRangingFor:error:)`.
    public func callAsFunction(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error
    ) {
        delegate.locationManager(manager, didFailRangingFor: beaconConstraint, error: error)
    }

    /// Calls `locationManager(_:didRangeBeacons:in:)`.
    @available(*, deprecated, message: "Call locationManager(_:didRange:satisfying:)")
    public func callAsFunction(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    ) {
        delegate.locationManager(manager, didRangeBeacons: beacons, in: region)
    }

    /// Calls `locationManager(_:rangingBeaconsDidFailFor:withError:)`.
    @available(*, deprecated, message: "Call locationManager(_:didFailRangingFor:error:)")
    public func callAsFunction(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error
    ) {
        delegate.locationManager(manager, rangingBeaconsDidFailFor: region, withError: error)
    }
}
