/// The time of a device whose clock stands still while it moves: a plotter that counts time in steps of ten seconds, a
/// simulator that knows none. Its positions are epochs without a time.
struct StandingClock {
    /// A Boolean value indicating whether the clock has been seen to stand.
    var isKnown = false
    /// A Boolean value indicating whether silence has ended the last epoch: what comes then is no part of it.
    private var isAfterSilence = false
    private var latitude = Coordinate(nanominutes: 0)
    private var longitude = Coordinate(nanominutes: 0)

    /// Records the end of an epoch.
    @inline(__always)
    mutating func ended(_ draft: borrowing Draft, inSilence: Bool) {
        guard draft.rank > 0 else { return }
        (latitude, longitude, isAfterSilence) = (draft.latitude, draft.longitude, inSilence)
    }

    /// Returns whether a position with the time of the last epoch is another one of a clock that stands.
    ///
    /// Without a silence before it, it may be the last epoch's own in another sentence, until the clock is known.
    mutating func isAnother(_ latitude: Coordinate, _ longitude: Coordinate) -> Bool {
        guard isKnown || isAfterSilence, (latitude, longitude) != (self.latitude, self.longitude) else { return false }
        isKnown = true
        return true
    }
}
