/// The authorization of an app to use locations.
@nonexhaustive
public enum CLAuthorizationStatus: Int32, Sendable {
    /// The user has not decided yet. A request prompts the user.
    case notDetermined = 0
    /// The administrator forbids access, and the user cannot grant it.
    case restricted = 1
    /// The user has denied access, or location services are off.
    case denied = 2
    /// The app may receive locations at any time.
    case authorizedAlways = 3
    /// The app may receive locations while it is in use.
    case authorizedWhenInUse = 4

    /// The former name of ``authorizedAlways``.
    @available(*, deprecated, renamed: "authorizedAlways")
    public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// The accuracy of the locations that an app is authorized to receive.
@nonexhaustive
public enum CLAccuracyAuthorization: Int, Sendable {
    /// Full accuracy: locations as the receivers report them.
    case fullAccuracy = 0
    /// Reduced accuracy: an area of a few kilometres that contains the device, at most a few times an hour.
    case reducedAccuracy = 1
}
