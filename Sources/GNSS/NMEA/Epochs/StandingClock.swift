/// The time of a device whose clock stands still while it moves: a plotter that counts time in steps of ten seconds, or
/// a simulator that does not know the time. Its positions are epochs without a time.
struct StandingClock {
    /// A Boolean value indicating whether the clock is known to stand still.
    var isKnown = false
    /// A Boolean value indicating whether silence has ended the last epoch, so that later sentences do not belong to
    /// it.
    private var isAfterSilence = false
    private var latitude = Coordinate(nanominutes: 0)
    private var longitude = Coordinate(nanominutes: 0)

    /// Records the end of an epoch.
    @inline(__always)
    mutating func ended(_ draft: borrowing Draft, inSilence: Bool) {
        guard draft.rank > 0 else { return }
        (latitude, longitude, isAfterSilence) = (draft.latitude, draft.longitude, inSilence)
    }

    /// Returns whether a position with the time of the last epoch is another position, from a clock that stands still.
    ///
    /// Without a silence before it, the position may belong to the last epoch, in another sentence, until the clock is
    /// known to stand still.
    mutating func isAnother(_ latitude: Coordinate, _ longitude: Coordinate) -> Bool {
        guard isKnown || isAfterSilence, (latitude, longitude) != (self.latitude, self.longitude) else { return false }
        isKnown = true
        return true
    }
}
