/// The sender whose bytes count: one at a time.
///
/// Attack: a second device of the network sends another place. Two that are mixed would move the machine to and fro,
/// and a sentence of one could complete the epoch of the other. So the first keeps its turn until it has been silent.
package struct SenderTurn<Sender: Hashable> {
    /// The outcome of bytes that arrived.
    package enum Outcome: Equatable {
        /// They count, as the last ones did.
        case continues
        /// They count, and the last ones were another sender's.
        case begins
        /// They do not count: another sender has its turn.
        case waits
    }

    /// The seconds of silence after which another sender gets the turn.
    package static var silenceLimit: Double { 5 }

    /// The sender whose turn it is, or `nil` before the first one and after ``leave(_:)``.
    package private(set) var current: Sender?
    private var lastHeard = 0.0

    /// Creates a turn that nobody has.
    package init() {}

    /// Records that bytes of `sender` have arrived.
    ///
    /// Attack, or a receiver of AIS alone: bytes without a sentence of a position's kind, one now and then, keep the
    /// turn for ever. So they neither begin a turn nor prolong it.
    ///
    /// - Parameters:
    ///   - now: The time in seconds, by a clock that nobody sets.
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

    /// Returns whether bytes of `sender` count now, as far as nobody else has the turn.
    package func isOpen(to sender: Sender) -> Bool { current == nil || current == sender }

    /// Records that `sender` is gone, so that the next one need not wait.
    package mutating func leave(_ sender: Sender) {
        if current == sender { current = nil }
    }
}
