package import LocationModel
package import Receivers

/// The options of a subscription. They are in range: a front checks the app's request.
package struct SubscriptionOptions {
    /// The accuracy of locations that the app requests, which determines how hard the receivers work.
    package var desiredAccuracy = DesiredAccuracy.best
    /// The minimum distance from the last delivered location in metres, or `nil` for none.
    package var distanceFilter: Double?
    /// The minimum time between two locations in seconds, or `nil` for none.
    package var minimumInterval: Double?
    /// The number of locations after which the subscription ends, at least 1, or `nil` for no end.
    package var maximumUpdates: Int?
    /// The duration of the subscription in seconds, or `nil` for no end.
    package var duration: Double?
    /// The kind of movement for detecting pauses.
    package var activityType = ActivityType.other
    /// A Boolean value indicating whether the subscription pauses while the device is stationary.
    package var pausesAutomatically = true
    /// A Boolean value indicating whether the subscription continues in the background.
    package var allowsBackground = false
    /// A Boolean value indicating whether the indicator shows the app as active while the subscription is in the
    /// background.
    package var showsBackgroundIndicator = false

    /// The reports that the subscriber is sent besides locations, if it is a ``ReportSubscriber``.
    package var reportContents: ReceiverReportContents = []

    /// Creates the default options.
    package init() {}
}
