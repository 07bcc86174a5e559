/// The purpose for which an app uses locations. It decides when the device counts as stationary.
@nonexhaustive
public enum CLActivityType: Int, Sendable {
    /// An unspecified purpose.
    case other = 1
    /// Navigation of a road vehicle.
    case automotiveNavigation = 2
    /// Walking, running or cycling.
    case fitness = 3
    /// Navigation of a boat, a train or another vehicle that does not follow roads.
    case otherNavigation = 4
    /// Flying.
    case airborne = 5
}
