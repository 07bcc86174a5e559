import Foundation

// Default implementations for methods that a delegate does not implement. Of two methods for the same event, the
// manager calls the newer one. Its default calls the older one, so that exactly one implementation of the app is
// reached.
extension CLLocationManagerDelegate {
    /// Calls `didUpdateTo:from:` for each location.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations {
            DeprecatedDelegateMethods.calls.didUpdate(
                self, manager, to: location, from: manager.previousLocation ?? location)
            manager.previousLocation = location
        }
    }

    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
    ) {}

    /// Writes the failure to standard error, because the app does not handle it. Apple's library raises an exception
    /// instead.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        let text =
            "CoreLocation: \(type(of: self)) does not implement locationManager(_:didFailWithError:): "
            + "\((error as NSError).localizedDescription)\n"
        StandardError.writeLine(text)
    }

    /// Calls `didChangeAuthorization`.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        DeprecatedDelegateMethods.calls.didChangeAuthorization(self, manager)
    }

    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
    ) {}

    /// Does nothing.
    public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}

    /// Does nothing.
    public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}

    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
    ) {}

    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {}

    /// Returns `false`.
    public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool { false }

    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {}

    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}

    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}

    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {}

    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {}

    /// Does nothing.
    public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}

    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon],
        satisfying beaconConstraint: CLBeaconIdentityConstraint
    ) {}

    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
        error: any Error
    ) {}

    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
    ) {}

    /// Does nothing.
    public func locationManager(
        _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error
    ) {}
}

/// Calls of the delegate's deprecated methods. They go through a protocol, and only its implementation is
/// deprecated, because direct calls would cause warnings.
private protocol DeprecatedDelegateCalls {
    func didUpdate(
        _ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager, to new: CLLocation,
        from old: CLLocation)
    func didChangeAuthorization(_ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager)
}

private struct DeprecatedDelegateMethods: DeprecatedDelegateCalls {
    static var calls: any DeprecatedDelegateCalls { DeprecatedDelegateMethods() }

    @available(*, deprecated)
    func didUpdate(
        _ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager, to new: CLLocation,
        from old: CLLocation
    ) {
        delegate.locationManager(manager, didUpdateTo: new, from: old)
    }

    @available(*, deprecated)
    func didChangeAuthorization(_ delegate: any CLLocationManagerDelegate, _ manager: CLLocationManager) {
        delegate.locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
    }
}
