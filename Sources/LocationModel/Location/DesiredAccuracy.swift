/// How accurate an app needs its locations to be: it decides how hard the receivers work.
///
/// It is a wish, not a filter: worse fixes are delivered while a receiver converges.
public enum DesiredAccuracy: String, Sendable, Codable, CaseIterable {
    /// Always a fix; a single request waits for 3 m.
    case bestForNavigation
    /// Always a fix; a single request waits for 5 m.
    case best
    /// Always a fix; a single request waits for 10 m.
    case nearestTenMeters
    /// A fix every 15 s.
    case hundredMeters
    /// A fix every 60 s.
    case kilometer
    /// A fix every 180 s.
    case threeKilometers
    /// A cell of about 5 km, also for an app that may have more.
    case reduced

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
