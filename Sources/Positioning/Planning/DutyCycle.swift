/// Carries a plan out: when the receivers are open, and which of their fixes count.
///
/// The caller opens and closes as `isOpen` says after each call, and calls `advance(to:)` when `deadline` has come. Time is
/// in seconds of any clock that goes on steadily.
public struct DutyCycle: Sendable {
    /// Between fixes that are at least so many seconds apart the receivers are closed.
    public static let closingInterval = 30.0
    /// How long the receivers stay open when nobody asks any more, in seconds.
    public static let lingering = 5.0
    /// A fix that comes so much too early counts: the period of a receiver is not exact. Seconds.
    public static let tolerance = 0.3
    /// The longest time to a fix that receivers are opened ahead by, in seconds: that of a warm start.
    public static let longestLead = 30.0

    /// Whether the receivers are to be open.
    public private(set) var isOpen = false
    /// What is carried out.
    public private(set) var plan = ReceiverPlan.off
    /// How long the receivers took to the last good fix after they were opened, in seconds.
    public private(set) var timeToFix = 0.0

    /// When the next fix is due; `nil` when none ever was given.
    private var due: Double?
    private var lastServed: Double?
    private var openedAt = 0.0
    private var closing: Double?

    /// Nobody asks, all is closed.
    public init() {}

    /// When `advance(to:)` has something to do; `nil`: never.
    public var deadline: Double? {
        switch plan {
        case .continuous: nil
        case .off: isOpen ? closing : nil
        case .every(let seconds, _): isOpen ? (closes(seconds) ? givingUp(seconds) : nil) : due.map { $0 - lead }
        }
    }

    /// Another plan holds from now on.
    public mutating func follow(_ plan: ReceiverPlan, at now: Double) {
        guard plan != self.plan else { return }
        self.plan = plan
        closing = nil
        switch plan {
        case .off: closing = now + Self.lingering
        case .continuous: open(at: now)
        // What was given before counts: who comes anew waits only for what is left of the interval.
        case .every(let seconds, _): due = lastServed.map { $0 + seconds } ?? now
        }
        advance(to: now)
    }

    /// The receivers gave a fix of that horizontal accuracy (metres, 68 %). Whether it counts.
    public mutating func take(accuracy: Double?, at now: Double) -> Bool {
        guard isOpen else { return false }
        switch plan {
        case .off: return false
        case .continuous:
            lastServed = now
            return true
        case .every(let seconds, let wanted):
            let begins = due ?? now
            guard now >= begins - (closes(seconds) ? lead : 0) - Self.tolerance else { return false }
            if (accuracy ?? .infinity) <= wanted || wanted == .infinity {
                timeToFix = closes(seconds) ? now - openedAt : timeToFix
                serve(seconds, begins, now)
            }
            return true
        }
    }

    /// Time has passed.
    public mutating func advance(to now: Double) {
        switch plan {
        case .continuous: break
        case .off:
            if let closing, now >= closing { close() }
        case .every(let seconds, _):
            if !isOpen {
                if now >= (due ?? now) - lead || !closes(seconds) { open(at: now) }
            } else if closes(seconds) {
                let begins = due ?? now
                // A receiver that finds no satellites is not kept looking for ever.
                if now >= givingUp(seconds) { serve(seconds, begins, now) } else if now < begins - lead { close() }
            }
        }
    }

    private mutating func open(at now: Double) {
        guard !isOpen else { return }
        isOpen = true
        openedAt = now
    }

    private mutating func close() {
        isOpen = false
        closing = nil
    }

    private mutating func serve(_ seconds: Double, _ begins: Double, _ now: Double) {
        lastServed = now
        // By the interval from when it was due, so that early fixes do not make the next ones come earlier and earlier.
        due = max(begins, now) + seconds
        if closes(seconds) { close() }
    }

    private func closes(_ seconds: Double) -> Bool { seconds >= Self.closingInterval }

    private var lead: Double { min(timeToFix, Self.longestLead) }

    /// When the search for a good fix is given up, until the next one is due.
    private func givingUp(_ seconds: Double) -> Double {
        max(due ?? openedAt, openedAt) + min(max(seconds, Self.longestLead), 60)
    }
}
