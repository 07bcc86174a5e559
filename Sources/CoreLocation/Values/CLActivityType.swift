/// What an app uses locations for, which tells when the device is at rest.
@nonexhaustive
public enum CLActivityType: Int, Sendable {
    /// Unknown.
    case other = 1
    /// Navigating a road vehicle.
    case automotiveNavigation = 2
    /// Walking, running, cycling.
    case fitness = 3
    /// Navigating a boat, a train or another vehicle that does not keep to roads.
    case otherNavigation = 4
    /// Flying.
    case airborne = 5
}
