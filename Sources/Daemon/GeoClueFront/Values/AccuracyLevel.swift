internal import LocationModel

/// GeoClue's accuracy levels.
///
/// An app requests a level. As with ``DesiredAccuracy``, a low level saves power and limits nothing: the grant alone
/// decides which accuracy is delivered.
enum AccuracyLevel: UInt32, CaseIterable {
    case none = 0
    case country = 1
    case city = 4
    case neighborhood = 5
    case street = 6
    case exact = 8

    /// The value of the property RequestedAccuracyLevel before it is set.
    static let initial = city.rawValue

    /// Creates the level that Start uses for a requested value: the highest level that is not greater. 0 is kept,
    /// because Qt requests it if the program names no method of positioning.
    init(requested value: UInt32) {
        self = Self.allCases.last { $0.rawValue <= value } ?? .none
    }

    /// The accuracy that decides how hard the receivers work for the level.
    var desiredAccuracy: DesiredAccuracy {
        switch self {
        case .exact: .best
        case .street, .none: .hundredMeters
        case .neighborhood, .city, .country: .threeKilometers
        }
    }

    /// A Boolean value indicating whether the prompt preselects reduced accuracy: the app does not need more.
    var prefersReducedAccuracy: Bool { desiredAccuracy == .threeKilometers }
}
