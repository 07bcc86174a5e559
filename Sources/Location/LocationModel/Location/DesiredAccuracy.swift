/// The accuracy that an app needs. It determines how hard the receivers work.
///
/// It is a hint, not a filter: less accurate fixes are delivered while a receiver converges.
public enum DesiredAccuracy: String, Sendable, Codable, CaseIterable {
    /// Fixes without a pause; a single request waits for 3 m.
    case bestForNavigation
    /// Fixes without a pause; a single request waits for 5 m.
    case best
    /// Fixes without a pause; a single request waits for 10 m.
    case nearestTenMeters
    /// A fix every 15 s.
    case hundredMeters
    /// A fix every 60 s.
    case kilometer
    /// A fix every 180 s.
    case threeKilometers
    /// A cell of about 5 km, even for an app with full accuracy.
    case reduced

    /// The horizontal accuracy that satisfies a single request, in metres, 68 %.
    ///
    /// The two best levels correspond to a converged consumer receiver under open sky.
    public var requiredHorizontalAccuracy: Double {
        switch self {
        case .bestForNavigation: 3
        case .best: 5
        case .nearestTenMeters: 10
        case .hundredMeters: 100
        case .kilometer: 1000
        case .threeKilometers: 3000
        case .reduced: .infinity
        }
    }
}

/// The kind of movement that an app tracks. It determines when the device counts as stationary.
public enum ActivityType: String, Sendable, Codable, CaseIterable {
    /// Anything else: stationary after 180 s.
    case other
    /// Travel by road: stationary after 120 s.
    case automotiveNavigation
    /// Walking, running or cycling: stationary after 60 s.
    case fitness
    /// Travel by water or rail: stationary after 120 s.
    case otherNavigation
    /// Flight: never stationary.
    case airborne
}
