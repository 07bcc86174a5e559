package import LocationModel

/// What an app wants of one stream of locations. In range: a front checks what it was given.
package struct SubscriptionOptions {
    /// How hard the receivers work.
    package var desiredAccuracy = DesiredAccuracy.best
    /// Metres from the last delivered location, at least.
    package var distanceFilter: Double?
    /// Seconds between two locations, at least.
    package var minimumInterval: Double?
    /// The number of locations after which the stream ends, at least 1.
    package var maximumUpdates: Int?
    /// Seconds after which the stream ends.
    package var duration: Double?
    /// What kind of movement is followed.
    package var activityType = ActivityType.other
    /// A Boolean value indicating whether updates pause while the device is at rest.
    package var pausesAutomatically = true
    /// A Boolean value indicating whether the stream goes on in the background.
    package var allowsBackground = false
    /// A Boolean value indicating whether the indicator shows the app as active while the stream goes on in the
    /// background.
    package var showsBackgroundIndicator = false

    /// The defaults.
    package init() {}
}
