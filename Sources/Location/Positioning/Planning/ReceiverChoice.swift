public import LocationModel

/// Chooses the receiver whose fixes count, if there are several receivers.
///
/// Only one receiver is in use at a time, so that an app never gets two fixes for one moment. It stays in use while its
/// fixes keep coming, unless another receiver is clearly more accurate for some time. If it is lost or has missed two
/// epochs, the next receiver with a fix takes over. A fixed place gives way to any receiver with a fix, regardless of
/// the accuracy that it claims. A suspect receiver gives way to a receiver without doubts. Receivers are identified by
/// number. Times are in seconds of any steady clock.
public struct ReceiverChoice: Sendable {
    /// The factor below which another receiver's accuracy is clearly better than the accuracy of the receiver in use.
    public static let clearlyBetterFactor = 0.7
    /// The time that another receiver must be clearly better before it takes over, in seconds.
    public static let trial = 5.0
    /// The number of epochs that the receiver in use may miss.
    public static let maximumMissedEpochs = 2.0

    /// The receiver in use, or `nil` before the first fix and after the receiver in use was lost.
    public private(set) var current: Int?
    /// The reason why the receiver is in use, or `nil` without a receiver in use.
    public private(set) var reason: ReceiverChoiceReason?
    /// The known receivers. There are only a few: a linear search costs less than hashing.
    private var known: [Record] = []
    private var lastEpoch: Timestamp?
    /// The previous or current receiver in use.
    private var last: Int?

    /// The recent history of a receiver.
    private struct Record {
        let receiver: Int
        var lastFix: Double
        /// The period of its fixes, in seconds.
        var period = 1.0
        /// The time between its last two fixes, in seconds.
        var lastGap = 0.0
        /// The smoothed accuracy of its recent fixes, in metres.
        var accuracy: Double
        /// A Boolean value indicating whether its last fix was of a fixed place.
        var isFixed: Bool
        /// A Boolean value indicating whether there are doubts about its last fix.
        var isSuspect = false
        /// The time since which it has been clearly better than the receiver in use.
        var betterSince: Double?
    }

    /// Creates a choice without a receiver in use.
    public init() {}

    /// Handles that the receivers were opened again: no receiver has missed an epoch yet.
    public mutating func reopened(at now: Double) {
        for index in known.indices { known[index].lastFix = now }
    }

    /// Returns whether `location`, a fix that `receiver` has just produced, counts.
    public mutating func accepts(_ location: borrowing Location, of receiver: Int, at now: Double) -> Bool {
        let index = record(location.horizontalAccuracy ?? .infinity, of: receiver, at: now)
        known[index].isFixed = location.quality == .fixed
        known[index].isSuspect = location.doubts?.isOfReceiver ?? false
        guard receiver == current || takesOver(index, at: now) else { return false }
        // Two receivers report the same moments: after a change, the receiver in use may be an epoch behind.
        if let lastEpoch, (0...2).contains(lastEpoch.seconds(since: location.timestamp)) { return false }
        lastEpoch = location.timestamp
        return true
    }

    /// Removes a receiver that does not produce fixes any more.
    public mutating func lose(_ receiver: Int) {
        known.removeAll { $0.receiver == receiver }
        guard current == receiver else { return }
        current = nil
        reason = nil
    }

    /// Records a fix of a receiver. Returns the receiver's index in `known`.
    private mutating func record(_ accuracy: Double, of receiver: Int, at now: Double) -> Int {
        guard let index = known.firstIndex(where: { $0.receiver == receiver }) else {
            known.append(Record(receiver: receiver, lastFix: now, accuracy: accuracy, isFixed: false))
            return known.count - 1
        }
        let gap = now - known[index].lastFix
        // A single pause is not a period, but two equally long pauses in a row are: some receivers are slower than 1
        // Hz.
        if gap > 0, gap <= 2 * known[index].period + 0.5 {
            known[index].period += 0.2 * (gap - known[index].period)
        } else if abs(gap - known[index].lastGap) <= 0.2 * gap {
            known[index].period = gap
        }
        known[index].lastGap = gap
        let before = known[index].accuracy
        known[index].accuracy =
            accuracy.isFinite && before.isFinite ? before + 0.3 * (accuracy - before) : accuracy
        known[index].lastFix = now
        return index
    }

    private mutating func takesOver(_ index: Int, at now: Double) -> Bool {
        let receiver = known[index].receiver
        guard let current, let inUse = known.first(where: { $0.receiver == current }) else {
            use(receiver, because: last == nil ? .first : last == receiver ? .returned : .otherLost)
            return true
        }
        if now - inUse.lastFix > Self.maximumMissedEpochs * inUse.period + 0.5 {
            use(receiver, because: .otherSilent)
            return true
        }
        if inUse.isFixed, !known[index].isFixed {
            use(receiver, because: .otherFixed)
            return true
        }
        if inUse.isSuspect != known[index].isSuspect {
            guard inUse.isSuspect, inUse.isFixed == known[index].isFixed else { return false }
            use(receiver, because: .otherSuspect)
            return true
        }
        let accuracy = known[index].accuracy
        guard inUse.isFixed == known[index].isFixed, accuracy <= inUse.accuracy * Self.clearlyBetterFactor,
            accuracy.isFinite
        else {
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
        last = receiver
        for index in known.indices { known[index].betterSince = nil }
    }
}

extension FixDoubts {
    /// A Boolean value indicating whether the doubts distinguish this receiver from others. Two receivers that disagree
    /// are both suspect, and all receivers of a machine are jammed together.
    fileprivate var isOfReceiver: Bool { contains(.spoofing) || contains(.jump) || contains(.clock) }
}
