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
