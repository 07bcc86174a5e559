import NIOCore

/// Determines when a receiver that sends sentences has no fix.
///
/// It has none if it says so for an epoch, or if it sends only data without a position for as long as silence would
/// count as a loss. Time without data is no sign: a receiver may be slower than 1 Hz, and its epochs may come late.
struct FixAbsence {
    /// The decoder's count of epochs without a fix at the last check.
    private var epochsWithoutFix: UInt64
    /// The time of the last fix, or of the last report of its absence.
    private var lastReport: NIODeadline

    /// Begins to observe a decoder at `now`. Epochs that it has counted before are ignored.
    init(after epochsWithoutFix: UInt64 = 0, at now: NIODeadline) {
        self.epochsWithoutFix = epochsWithoutFix
        lastReport = now
    }

    /// Records a fix.
    mutating func didProduceFix(at now: NIODeadline) { lastReport = now }

    /// Returns whether the decoder has counted another epoch without a fix. Such an epoch is to be reported.
    mutating func follows(_ epochsWithoutFix: UInt64, at now: NIODeadline) -> Bool {
        guard epochsWithoutFix != self.epochsWithoutFix else { return false }
        self.epochsWithoutFix = epochsWithoutFix
        lastReport = now
        return true
    }

    /// Returns whether `isOverdue(at:after:)` may be `true` for any valid limit of silence.
    func mayBeOverdue(at now: NIODeadline) -> Bool { now - lastReport > ReceiverStateMachine.silenceLimit }

    /// Returns whether the sentences since the last report, which made no epoch, are to be reported as the absence of a
    /// fix.
    mutating func isOverdue(at now: NIODeadline, after limit: TimeAmount) -> Bool {
        guard now - lastReport > limit else { return false }
        lastReport = now
        return true
    }
}
