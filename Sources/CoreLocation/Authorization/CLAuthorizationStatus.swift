/// What the user has granted the app.
@nonexhaustive
public enum CLAuthorizationStatus: Int32, Sendable {
    /// Nobody has decided; a request asks.
    case notDetermined = 0
    /// The administrator forbids it, and nobody can grant it.
    case restricted = 1
    /// The user said no, or location services are off.
    case denied = 2
    /// Locations at any time.
    case authorizedAlways = 3
    /// Locations while the app is in use.
    case authorizedWhenInUse = 4

    /// Locations at any time.
    @available(*, deprecated, renamed: "authorizedAlways")
    public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}
