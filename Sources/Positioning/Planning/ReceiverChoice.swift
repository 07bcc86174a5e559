public import LocationModel

/// Which of several receivers' fixes count.
///
/// One receiver is in use at a time, so that an app never gets two fixes for one moment. It stays in use while its fixes
/// keep coming, unless another one's are clearly more accurate for some time; when it is lost, or has missed two epochs, the
/// next one to give a fix takes over. Receivers are known by a number; time is passed in, in seconds
/// of any clock that goes on steadily.
public struct ReceiverChoice: Sendable {
    /// How much smaller another receiver's accuracy is, as a factor, when it is clearly better.
    public static let clearlyBetter = 0.7
    /// For how many seconds it has to be.
    public static let trial = 5.0
    /// How many epochs the receiver in use may miss.
    public static let missedEpochs = 2.0

    /// The receiver in use; `nil` before the first fix and after the one in use was lost.
    public private(set) var current: Int?
    /// Why; `nil` where none is in use.
    public private(set) var reason: ReceiverChoiceReason?
    /// A few at most: looking through them costs less than hashing.
    private var known: [Record] = []
    private var lastEpoch: Timestamp?
    private var hadOne = false

    /// What is remembered of a receiver.
    private struct Record {
        let receiver: Int
        var lastFix: Double
        /// Seconds between two fixes.
        var period = 1.0
        /// Metres, the recent ones smoothed.
        var accuracy: Double
        /// Since when it has been clearly better than the one in use.
        var betterSince: Double?
    }

    /// No receiver is in use.
    public init() {}

    /// The receivers were opened again after a rest: nobody has missed an epoch yet.
    public mutating func reopened(at now: Double) {
        for index in known.indices { known[index].lastFix = now }
    }

    /// Returns whether `location`, which `receiver` gives now, counts.
    public mutating func accepts(_ location: Location, of receiver: Int, at now: Double) -> Bool {
        let index = note(location.horizontalAccuracy ?? .infinity, of: receiver, at: now)
        guard receiver == current || takesOver(index, at: now) else { return false }
        // Two receivers tell of the same moments: after a change the one in use may be an epoch behind.
        if let lastEpoch, (0...2).contains(lastEpoch.seconds(since: location.timestamp)) { return false }
        lastEpoch = location.timestamp
        return true
    }

    /// The receiver gives no more fixes.
    public mutating func lose(_ receiver: Int) {
        known.removeAll { $0.receiver == receiver }
        guard current == receiver else { return }
        current = nil
        reason = nil
    }

    /// Takes in a fix of a receiver. Returns where that is remembered.
    private mutating func note(_ accuracy: Double, of receiver: Int, at now: Double) -> Int {
        guard let index = known.firstIndex(where: { $0.receiver == receiver }) else {
            known.append(Record(receiver: receiver, lastFix: now, accuracy: accuracy))
            return known.count - 1
        }
        let gap = now - known[index].lastFix
        // A pause is no period.
        if gap > 0, gap <= 2 * known[index].period + 0.5 { known[index].period += 0.2 * (gap - known[index].period) }
        let before = known[index].accuracy
        known[index].accuracy =
            accuracy.isFinite && before.isFinite ? before + 0.3 * (accuracy - before) : accuracy
        known[index].lastFix = now
        return index
    }

    private mutating func takesOver(_ index: Int, at now: Double) -> Bool {
        let receiver = known[index].receiver
        guard let current, let inUse = known.first(where: { $0.receiver == current }) else {
            use(receiver, because: hadOne ? .otherLost : .first)
            return true
        }
        if now - inUse.lastFix > Self.missedEpochs * inUse.period + 0.5 {
            use(receiver, because: .otherSilent)
            return true
        }
        let accuracy = known[index].accuracy
        guard accuracy <= inUse.accuracy * Self.clearlyBetter, accuracy.isFinite else {
            known[index].betterSince = nil
            return false
        }
        let since = known[index].betterSince ?? now
        known[index].betterSince = since
        guard now - since >= Self.trial else { return false }
        use(receiver, because: .moreAccurate)
        return true
    }

    private mutating func use(_ receiver: Int, because reason: ReceiverChoiceReason) {
        current = receiver
        self.reason = reason
        hadOne = true
        for index in known.indices { known[index].betterSince = nil }
    }
}
