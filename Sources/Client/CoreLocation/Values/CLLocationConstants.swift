/// A value of `CLLocationManager.distanceFilter` that lets every location through.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// A value of `CLLocationManager.headingFilter` that lets every heading through.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// A value of `CLLocationManager.desiredAccuracy`: the best accuracy available, for navigation.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// A value of `CLLocationManager.desiredAccuracy`: the best accuracy available.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// A value of `CLLocationManager.desiredAccuracy`: 10 m.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// A value of `CLLocationManager.desiredAccuracy`: 100 m.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// A value of `CLLocationManager.desiredAccuracy`: 1 km.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// A value of `CLLocationManager.desiredAccuracy`: 3 km.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// A value of `CLLocationManager.desiredAccuracy`: reduced accuracy, even if the user has granted full accuracy.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000

/// The largest distance that can be expressed, in metres.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The longest time interval that can be expressed, in seconds.
public let CLTimeIntervalMax: Double = .greatestFiniteMagnitude

/// An invalid coordinate: `CLLocationCoordinate2DIsValid` returns `false` for it.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// The error domain of a `CLError` that is used as an `NSError`.
public let kCLErrorDomain: String = "kCLErrorDomain"
/// The key in the `userInfo` of a `CLError` for a region that could be monitored instead.
public let kCLErrorUserInfoAlternateRegionKey: String = "kCLErrorUserInfoAlternateRegionKey"
