public import LocationModel

extension Stillness {
    /// A time at a place, by the clock of the fixes.
    public struct Stay: Sendable, Equatable {
        /// The beginning.
        public let from: Timestamp
        /// The end, as far as the surroundings show.
        public let until: Timestamp
        /// The end of the part that is certain.
        public let certainUntil: Timestamp
    }
}

/// The present stay of a device at a place. Times are in seconds of the clock of ``Stillness``.
struct RadioStay: Sendable {
    private var since: Double
    /// The times of the first and the last fix of the stay, and the timestamp of the last one. `nil` without a fix.
    private(set) var fix: (first: Double, last: Double, timestamp: Timestamp)?
    /// The last time when the surroundings were those of the place.
    private(set) var lastMatch: Double
    /// The last time when the device was certainly there: that of a fix or, once other surroundings have ended the
    /// stay, of the last ones that were those of the place. Until then, the place may have travelled along.
    private var certainUntil: Double

    /// Creates a stay that is found at `now`, with the fixes made since its beginning.
    init(since: Double, fix: (first: Double, last: Double, timestamp: Timestamp)?, at now: Double) {
        self.since = since
        self.fix = fix
        certainUntil = fix?.last ?? since
        lastMatch = now
    }

    /// The times of the stay by the clock of the fixes, or `nil` if no fix was made.
    var times: Stillness.Stay? {
        guard let fix else { return nil }
        func timestamp(_ time: Double) -> Timestamp {
            Timestamp(millisecondsSince1970: fix.timestamp.millisecondsSince1970 + Int64((time - fix.last) * 1000))
        }
        return Stillness.Stay(
            from: timestamp(since), until: timestamp(lastMatch), certainUntil: timestamp(certainUntil))
    }

    /// Handles surroundings that are those of the place.
    mutating func match(at now: Double) { lastMatch = now }

    /// Handles a fix at the place.
    mutating func add(_ location: Location, at now: Double) {
        fix = (fix?.first ?? now, now, location.timestamp)
        certainUntil = now
    }

    /// Handles that nothing shows the place any more.
    mutating func end() { certainUntil = max(certainUntil, lastMatch) }

    /// Handles a sleep of the machine of that many seconds, while the clock stood still.
    mutating func add(sleep: Double) {
        guard let (first, last, timestamp) = fix else { return }
        let milliseconds = timestamp.millisecondsSince1970 + Int64(sleep * 1000)
        fix = (first, last, Timestamp(millisecondsSince1970: milliseconds))
        since -= sleep
        lastMatch -= sleep
        certainUntil -= sleep
    }
}
