extension Stillness {
    /// The movement of the device, as far as the surroundings show it.
    public enum Motion: Sendable {
        /// Nothing is known.
        case unknown
        /// On the way: each scan hears other emitters.
        case moving
        /// Probably at a place: the surroundings have begun to be the same.
        case settling
        /// At a place.
        case still
    }

    enum State: Equatable {
        /// Unknown, or moving.
        case unknown
        /// At a place.
        case still
        /// Perhaps no longer at the place, since that time.
        case perhapsMoved(since: Double, fixesAway: Int)
    }
}
