/// One element of ``liveUpdates(_:)``: a location, or the reason why there is none.
///
/// ```swift
/// for try await update in CLLocationUpdate.liveUpdates() {
///     if let location = update.location { print(location) }
///     if update.authorizationDenied { break }
/// }
/// ```
public struct CLLocationUpdate: Sendable {
    /// The new location, or `nil` if there is none.
    public package(set) var location: CLLocation?
    /// A Boolean value indicating whether the device is stationary. No more locations follow until it moves.
    public package(set) var stationary = false
    /// A Boolean value indicating whether the app is denied access.
    public package(set) var authorizationDenied = false
    /// A Boolean value indicating whether location services are off.
    public package(set) var authorizationDeniedGlobally = false
    /// A Boolean value indicating whether the administrator forbids access.
    public package(set) var authorizationRestricted = false
    /// A Boolean value indicating whether the app is in the background and may not receive locations there.
    public package(set) var insufficientlyInUse = false
    /// A Boolean value indicating whether no location is available at the moment.
    public package(set) var locationUnavailable = false
    /// A Boolean value indicating whether the app has only reduced accuracy.
    public package(set) var accuracyLimited = false
    /// A Boolean value indicating whether a ``CLServiceSession`` is required.
    public package(set) var serviceSessionRequired = false
    /// A Boolean value indicating whether the user is being prompted.
    public package(set) var authorizationRequestInProgress = false

    package init() {}

    /// A Boolean value indicating whether the device is stationary.
    @available(*, deprecated, renamed: "stationary")
    public var isStationary: Bool { stationary }

    /// The purpose of an app's live updates.
    @nonexhaustive
    public enum LiveConfiguration: Equatable, Hashable, Sendable {
        /// An unspecified purpose.
        case `default`
        /// Navigation of a road vehicle.
        case automotiveNavigation
        /// Navigation of another kind of vehicle.
        case otherNavigation
        /// Walking, running or cycling.
        case fitness
        /// Flying.
        case airborne
    }

    /// Returns a sequence of updates, which run while it is iterated over.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        Updates(configuration: configuration, backend: Backend.current)
    }
}
