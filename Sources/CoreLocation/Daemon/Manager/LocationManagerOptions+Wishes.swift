internal import LocationClient
internal import LocationProtocol

extension LocationClient.Options {
    /// Metres; longer than any on Earth. `CLLocationDistanceMax`, or infinity, would not go over the wire.
    private static var longestDistance: CLLocationDistance { 1e8 }

    /// What the daemon is asked for.
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
    /// The level that is not worse than `metres`, which may be one of the constants.
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
