/// One element of ``liveUpdates(_:)``: a location, or why there is none.
///
/// ```swift
/// for try await update in CLLocationUpdate.liveUpdates() {
///     if let location = update.location { print(location) }
///     if update.authorizationDenied { break }
/// }
/// ```
public struct CLLocationUpdate: Sendable {
    /// The new location, if there is one.
    public internal(set) var location: CLLocation?
    /// A Boolean value indicating whether the device rests: nothing more comes until it moves.
    public internal(set) var stationary = false
    /// A Boolean value indicating whether the user said no.
    public internal(set) var authorizationDenied = false
    /// A Boolean value indicating whether location services are off.
    public internal(set) var authorizationDeniedGlobally = false
    /// A Boolean value indicating whether the administrator forbids it.
    public internal(set) var authorizationRestricted = false
    /// A Boolean value indicating whether the app is in the background, and may not have locations there.
    public internal(set) var insufficientlyInUse = false
    /// A Boolean value indicating whether there is no location for now.
    public internal(set) var locationUnavailable = false
    /// A Boolean value indicating whether the app gets reduced accuracy only.
    public internal(set) var accuracyLimited = false
    /// A Boolean value indicating whether a ``CLServiceSession`` is needed.
    public internal(set) var serviceSessionRequired = false
    /// A Boolean value indicating whether the user is being asked.
    public internal(set) var authorizationRequestInProgress = false

    init() {}

    /// A Boolean value indicating whether the device rests.
    @available(*, deprecated, renamed: "stationary")
    public var isStationary: Bool { stationary }

    /// What locations are wanted for.
    @nonexhaustive
    public enum LiveConfiguration: Equatable, Hashable, Sendable {
        /// Anything.
        case `default`
        /// Navigating a road vehicle.
        case automotiveNavigation
        /// Navigating another vehicle.
        case otherNavigation
        /// Walking, running, cycling.
        case fitness
        /// Flying.
        case airborne
    }

    /// Locations from now on, for as long as they are iterated over.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        Updates(configuration: configuration, backend: Backend.current)
    }
}
