internal import LocationModel

extension ActivityType {
    /// How long a device stays at a place before it counts as at rest, in seconds; `nil`: it never does.
    var dwellSeconds: Double? {
        switch self {
        case .automotiveNavigation, .otherNavigation: 120
        case .fitness: 60
        case .other: 180
        case .airborne: nil
        }
    }

    /// The speed over ground up to which a device may be at rest, in metres a second: above what receivers report of one that
    /// does not move, below that of one that does.
    var restingSpeed: Double {
        switch self {
        case .automotiveNavigation: 1.5
        case .otherNavigation: 1
        case .other: 0.7
        case .fitness, .airborne: 0.5
        }
    }
}
