internal import CoreLocation
internal import LocationClient
internal import LocationProtocol

extension LocationClient.Options {
    /// The longest distance to send to the daemon, in metres; no distance on Earth is longer. `CLLocationDistanceMax`
    /// or infinity could not be sent.
    private static var longestDistance: CLLocationDistance { 1e8 }

    /// Creates the options for the daemon.
    init(_ options: LocationManagerOptions, isBackgroundActive: Bool) {
        self.init()
        desiredAccuracy = DesiredAccuracy(options.desiredAccuracy)
        distanceFilter = options.distanceFilter > 0 ? min(options.distanceFilter, Self.longestDistance) : nil
        activityType = ActivityType(options.activityType)
        pausesAutomatically = options.pausesLocationUpdatesAutomatically
        allowsBackground = options.allowsBackgroundLocationUpdates || isBackgroundActive
        showsBackgroundIndicator = options.showsBackgroundLocationIndicator || isBackgroundActive
    }
}

extension DesiredAccuracy {
    /// Creates the least accurate level that is at least as accurate as `metres`, which may be one of the constants.
    init(_ metres: CLLocationAccuracy) {
        self =
            switch metres {
            case kCLLocationAccuracyBestForNavigation: .bestForNavigation
            case ..<kCLLocationAccuracyNearestTenMeters: .best
            case ..<kCLLocationAccuracyHundredMeters: .nearestTenMeters
            case ..<kCLLocationAccuracyKilometer: .hundredMeters
            case ..<kCLLocationAccuracyThreeKilometers: .kilometer
            case ..<kCLLocationAccuracyReduced: .threeKilometers
            case kCLLocationAccuracyReduced...: .reduced
            default: .best
            }
    }
}

extension ActivityType {
    init(_ type: CLActivityType) {
        self =
            switch type {
            case .other: .other
            case .automotiveNavigation: .automotiveNavigation
            case .fitness: .fitness
            case .otherNavigation: .otherNavigation
            case .airborne: .airborne
            }
    }
}
