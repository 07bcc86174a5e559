/// Carries a plan out: when the receivers are open, and which of their fixes count.
///
/// The caller calls `advance(to:)` when `deadline` has come. It opens and closes as `isOpen` says, once it has told of
/// everything that happened at a moment: a fix that ends one look may bring about a plan that needs the next one at once.
/// Time is in seconds of any clock that goes on steadily.
public struct DutyCycle: Sendable {
    /// Between fixes that are at least so many seconds apart the receivers are closed.
    public static let closingInterval = 30.0
    /// How long the receivers stay open when nobody asks any more, in seconds.
    public static let lingering = 5.0
    /// A fix of open receivers that comes so much too early counts: their period is not exact. Seconds.
    public static let tolerance = 0.3
    /// The longest time to a fix that receivers are opened ahead by, in seconds: that of a warm start.
    public static let longestLead = 30.0
    /// The longest search for a good fix, in seconds; shorter where the fixes are closer to each other than that.
    static let longestSearch = 60.0

    /// A Boolean value indicating whether the receivers are to be open.
    public private(set) var isOpen = false
    /// What is carried out.
    public private(set) var plan = ReceiverPlan.off
    /// How long the receivers took to the last good fix after they were opened, in seconds.
    public private(set) var timeToFix = 0.0

    /// When the next fix of an interval is due.
    private var due = 0.0
    /// When the last good fix came.
    private var lastServed: Double?
    /// When the present search for a good fix began, and whether it has found one.
    private var searchingSince = 0.0
    private var hasFound = false
    private var closing = 0.0

    /// Nobody asks, all is closed.
    public init() {}

    /// When `advance(to:)` has something to do; `nil`: never.
    public var deadline: Double? {
        switch plan {
        case .continuous: nil
        case .off: isOpen ? closing : nil
        case .every(let seconds, _): isOpen ? (closes(seconds) ? givingUp(seconds) : nil) : due - lead
        }
    }

    /// Another plan holds from now on.
    public mutating func follow(_ plan: ReceiverPlan, at now: Double) {
        guard plan != self.plan else { return }
        self.plan = plan
        beginSearch(now)
        switch plan {
        case .off: closing = now + Self.lingering
        case .continuous: open(at: now)
        // What was given before counts: who comes anew waits only for what is left of the interval.
        case .every(let seconds, _): due = lastServed.map { $0 + seconds } ?? now
        }
        advance(to: now)
    }

    /// The receivers gave a fix of that horizontal accuracy (metres, 68 %). Whether it counts.
    ///
    /// One of unknown accuracy is as good as any: its receiver will not tell of better ones.
    public mutating func take(accuracy: Double?, at now: Double) -> Bool {
        guard isOpen else { return false }
        switch plan {
        case .off: return false
        case .continuous: lastServed = now
        case .every(let seconds, let wanted):
            let isGood = (accuracy ?? 0) <= wanted
            if isGood, !hasFound {
                hasFound = true
                if closes(seconds) { timeToFix = now - searchingSince }
            }
            // Receivers that were opened ahead wait for the moment: a fix that is due at least 300 s after another is not
            // to come after 299 s.
            guard now >= due - (closes(seconds) ? 0 : Self.tolerance) else { return false }
            guard isGood else { break }
            lastServed = now
            endSearch(seconds, now)
        }
        return true
    }

    /// Time has passed.
    public mutating func advance(to now: Double) {
        switch plan {
        case .continuous: break
        case .off: if now >= closing { isOpen = false }
        case .every(let seconds, _):
            if now < opening(seconds) {
                if closes(seconds) { isOpen = false } else { open(at: now) }
            } else if !isOpen {
                open(at: now)
            } else if closes(seconds), now >= givingUp(seconds) {
                // A receiver that finds no satellites is not kept looking for ever.
                endSearch(seconds, now)
            }
        }
    }

    private mutating func open(at now: Double) {
        guard !isOpen else { return }
        isOpen = true
        beginSearch(now)
    }

    private mutating func beginSearch(_ now: Double) {
        searchingSince = now
        hasFound = false
    }

    private mutating func endSearch(_ seconds: Double, _ now: Double) {
        // By the interval from when it was due, so that early fixes do not make the next ones earlier and earlier.
        due = max(due, now) + seconds
        if closes(seconds) { isOpen = false }
    }

    private func closes(_ seconds: Double) -> Bool { seconds >= Self.closingInterval }

    private var lead: Double { min(timeToFix, Self.longestLead) }

    /// When the receivers are needed for the fix that is due.
    private func opening(_ seconds: Double) -> Double { closes(seconds) ? due - lead : due }

    /// When the search for a good fix is given up, until the next one is due.
    private func givingUp(_ seconds: Double) -> Double {
        max(due, searchingSince) + min(seconds, Self.longestSearch)
    }
}
