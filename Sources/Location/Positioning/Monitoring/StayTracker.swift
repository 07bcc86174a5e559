internal import LocationModel

/// Tracks a device from one stay to the next.
///
/// GNSS receivers produce single fixes that are tens of metres off. So one fix outside the circle does not end a stay.
/// Several in a row do, and the next stay begins with the first of them that are close to each other.
struct StayTracker: Sendable, Equatable {
    private(set) var stay: Stay?
    /// The stay that replaces the current one if the strays continue.
    private var rival: Stay?
    /// The number of fixes in a row outside the circle.
    private(set) var strays = 0

    /// Creates a tracker that continues a stay found earlier.
    init(stay: Stay? = nil) {
        self.stay = stay
    }

    /// Extends the stay to the time when the surroundings of the device showed that it had not left, if all fixes in
    /// these surroundings, after `beginning`, belong to the stay. If they belong to the next one, that begins. Returns
    /// the effect, or `nil` if there is none.
    ///
    /// - Parameter last: The part of that time that is certain. The stay has lasted at least as long.
    mutating func extend(
        after beginning: Timestamp, from start: Timestamp?, until end: Timestamp, certainUntil last: Timestamp
    ) -> Step? {
        var ended: Stay?
        if let rival, rival.since >= beginning, let stay, stay.lastFix < beginning {
            ended = stay
            (self.stay, self.rival, strays) = (rival, nil, 0)
        }
        guard strays == 0, let stay, stay.lastFix >= beginning, end > stay.lastFix else { return nil }
        self.stay?.extend(from: start ?? stay.since, until: last)
        return ended == nil ? .stayed : .left(ended)
    }

    /// The effect of a fix.
    enum Step: Equatable {
        /// The fix is within the circle.
        case stayed
        /// The fix is outside, and the stay continues.
        case strayed
        /// The fix ended the given stay, if there was one, and another stay has begun.
        case left(Stay?)
    }

    /// Consumes a fix. Returns its effect.
    ///
    /// - Parameters:
    ///   - radius: The radius of the circle around the mean of the stay, in metres.
    ///   - strayLimit: The number of fixes in a row outside the circle that ends the stay.
    ///   - isMoving: If `true`, the fix counts as outside wherever it is, and does not begin a stay.
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
