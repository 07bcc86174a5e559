internal import LocationModel

extension ActivityType {
    /// The time that a device must stay at a place to count as stationary, in seconds, or `nil` if it never does.
    var dwellSeconds: Double? {
        switch self {
        case .automotiveNavigation, .otherNavigation: 120
        case .fitness: 60
        case .other: 180
        case .airborne: nil
        }
    }

    /// The greatest speed over ground of a stationary device, in metres per second: above the speed that receivers
    /// report for a device that does not move, below that of a device that moves.
    var maximumStationarySpeed: Double {
        switch self {
        case .automotiveNavigation: 1.5
        case .otherNavigation: 1
        case .other: 0.7
        case .fitness, .airborne: 0.5
        }
    }
}
