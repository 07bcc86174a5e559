/// For `CLLocationManager.distanceFilter`: every location.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// For `CLLocationManager.headingFilter`: every heading.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// For `CLLocationManager.desiredAccuracy`: as accurate as can be, for navigation.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// For `CLLocationManager.desiredAccuracy`: as accurate as can be.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// For `CLLocationManager.desiredAccuracy`: 10 m.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// For `CLLocationManager.desiredAccuracy`: 100 m.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// For `CLLocationManager.desiredAccuracy`: 1 km.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// For `CLLocationManager.desiredAccuracy`: 3 km.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// For `CLLocationManager.desiredAccuracy`: the area that the device is in, as if only that had been granted.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000

/// The greatest distance that can be told.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The longest time that can be told, in seconds.
public let CLTimeIntervalMax: Double = .greatestFiniteMagnitude

/// A coordinate that is none: `CLLocationCoordinate2DIsValid` says `false` of it.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// The domain of a `CLError` as an `NSError`.
public let kCLErrorDomain: String = "kCLErrorDomain"
/// In a `CLError`'s `userInfo`: a region that could be monitored instead.
public let kCLErrorUserInfoAlternateRegionKey: String = "kCLErrorUserInfoAlternateRegionKey"
