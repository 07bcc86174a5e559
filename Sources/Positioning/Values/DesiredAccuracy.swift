/// How accurate an app needs its locations to be: it decides how hard the receivers work.
///
/// It is a wish, not a filter: worse fixes are delivered while a receiver converges.
public enum DesiredAccuracy: String, Sendable, Codable, CaseIterable {
    case bestForNavigation, best, nearestTenMeters, hundredMeters, kilometer, threeKilometers, reduced

    /// The horizontal accuracy at which a single request is satisfied, in metres, 68 %.
    ///
    /// The two best levels ask for what a consumer receiver under open sky reaches after it has converged.
    public var satisfactoryHorizontalAccuracy: Double {
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
