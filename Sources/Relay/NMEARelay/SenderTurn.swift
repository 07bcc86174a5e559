/// Decides whose bytes count: one sender's at a time.
///
/// Attack: a second device in the network sends another location. Mixing the two would move the machine to and fro, and
/// a sentence of one could complete the epoch of the other. So the first keeps its turn until it falls silent.
package struct SenderTurn<Sender: Hashable> {
    /// The outcome for received bytes.
    package enum Outcome: Equatable {
        /// They count, and the previous bytes were from the same sender.
        case continues
        /// They count, and the previous bytes were from another sender.
        case begins
        /// They do not count: another sender has the turn.
        case waits
    }

    /// The seconds of silence after which another sender gets the turn.
    package static var silenceLimit: Double { 5 }

    /// The sender whose turn it is, or `nil` before the first one and after ``leave(_:)``.
    package private(set) var current: Sender?
    private var lastHeard = 0.0

    /// Creates a turn without a sender.
    package init() {}

    /// Records the arrival of bytes from `sender`.
    ///
    /// Attack, or a receiver of AIS alone: occasional bytes without a position sentence keep the turn forever. So they
    /// neither begin a turn nor prolong it.
    ///
    /// - Parameters:
    ///   - now: The time in seconds, by a monotonic clock.
    ///   - hasSentence: A Boolean value indicating whether a sentence or a frame begins in the bytes.
    package mutating func receive(from sender: Sender, at now: Double, hasSentence: Bool) -> Outcome {
        if current == sender, hasSentence || now - lastHeard < Self.silenceLimit {
            if hasSentence { lastHeard = now }
            return .continues
        }
        guard hasSentence, current == nil || now - lastHeard >= Self.silenceLimit else { return .waits }
        current = sender
        lastHeard = now
        return .begins
    }

    /// Returns whether bytes from `sender` may count: no other sender has the turn.
    package func isOpen(to sender: Sender) -> Bool { current == nil || current == sender }

    /// Records the departure of `sender`, so that the next one need not wait.
    package mutating func leave(_ sender: Sender) {
        if current == sender { current = nil }
    }
}
