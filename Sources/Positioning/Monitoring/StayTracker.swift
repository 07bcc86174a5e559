internal import LocationModel

/// Follows a device from one stay to the next.
///
/// GNSS receivers give single fixes that are tens of metres off. So a fix outside of the circle does not end a stay; several
/// running do, and the next stay then begins with the first of those that are close to each other.
struct StayTracker: Sendable, Equatable {
    private(set) var stay: Stay?
    /// What the stay's place will be taken by, if the strays go on.
    private var rival: Stay?
    /// How many fixes running have been outside.
    private(set) var strays = 0

    /// A tracker that goes on with a stay that was found before.
    init(stay: Stay? = nil) {
        self.stay = stay
    }

    /// What a fix does.
    enum Step: Equatable {
        /// It is within the circle.
        case stayed
        /// It is outside; the stay goes on.
        case strayed
        /// It ended the stay given, if there was one; another has begun.
        case left(Stay?)
    }

    /// Takes a fix.
    ///
    /// - Parameters:
    ///   - radius: of the circle around the stay's mean, in metres.
    ///   - strayLimit: so many fixes running outside of it end the stay.
    ///   - isMoving: puts the fix outside wherever it is, and begins no stay.
    mutating func follow(_ location: Location, radius: Double, strayLimit: Int, isMoving: Bool = false) -> Step {
        if !isMoving, stay?.absorb(location, within: radius) ?? false {
            rival = nil
            strays = 0
            return .stayed
        }
        if isMoving {
            rival = nil
        } else if !(rival?.absorb(location, within: radius) ?? false) {
            rival = Stay(at: location)
        }
        strays += 1
        guard stay == nil || strays >= strayLimit else { return .strayed }
        let ended = stay
        stay = rival
        rival = nil
        strays = 0
        return .left(ended)
    }
}
