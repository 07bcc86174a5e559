/// The settings of a manager. Each is a property of `CLLocationManager` with the same name.
struct LocationManagerOptions: Equatable, Sendable {
    var activityType = CLActivityType.other
    /// Metres, or `kCLDistanceFilterNone` for every movement.
    var distanceFilter = kCLDistanceFilterNone
    /// Metres, or one of the `kCLLocationAccuracy` constants.
    var desiredAccuracy = kCLLocationAccuracyBest
    var pausesLocationUpdatesAutomatically = true
    var allowsBackgroundLocationUpdates = false
    var showsBackgroundLocationIndicator = false
    /// Degrees, or `kCLHeadingFilterNone` for every change.
    var headingFilter: CLLocationDegrees = 1
    var headingOrientation = CLDeviceOrientation.portrait
}
