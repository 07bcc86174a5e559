/// Carries out a plan: it decides when the receivers are open and which of their fixes count.
///
/// The caller calls `advance(to:)` at `deadline`. It opens and closes the receivers according to `isOpen`, but only
/// after it has reported everything that happened at a moment: a fix that ends one search may lead to a plan that needs
/// the next search at once. Times are in seconds of any steady clock.
public struct DutyCycle: Sendable {
    /// The shortest interval between fixes, in seconds, for which the receivers are closed in between.
    public static let closingInterval = 30.0
    /// The time that receivers stay open after the last demand has ended, in seconds.
    public static let lingering = 5.0
    /// The time that a fix of open receivers may be early and still count, in seconds. The period of a receiver is not
    /// exact.
    public static let tolerance = 0.3
    /// The longest time that receivers are opened in advance of a fix, in seconds: the duration of a warm start.
    public static let maximumLead = 30.0
    /// The longest search for a single fix, in seconds, within two hours after the last fix: a hot start indoors.
    /// Later, the receiver may have to download where the satellites are.
    public static let hotSearch = 25.0
    static let hotTime = 7200.0
    /// The same later: a warm start, half a minute, indoors.
    public static let warmSearch = 40.0
    /// The longest search for a good fix, in seconds. It is shorter if the interval between fixes is shorter.
    public static let maximumSearch = 60.0

    /// A Boolean value indicating whether the receivers should be open.
    public private(set) var isOpen = false
    /// The current plan.
    public private(set) var plan = ReceiverPlan.off
    /// The time from opening the receivers to the first good fix, in seconds, as last measured.
    public private(set) var timeToFix = 0.0

    /// The time when the next fix of an interval is due, or the single one; infinite once that was searched for.
    private var due = 0.0
    /// The time of the last fix that satisfied the plan.
    private var lastServed: Double?
    /// The beginning of the current search for a good fix. `hasFound` is `true` once the search has found one.
    private var searchingSince = 0.0
    private var hasFound = false
    private var closing = 0.0

    /// Creates a duty cycle without demand: all receivers are closed.
    public init() {}

    /// The time when `advance(to:)` has something to do, or `nil` if it has nothing to do.
    public var deadline: Double? {
        switch plan {
        case .continuous: nil
        case .off: isOpen ? closing : nil
        case .every(let seconds, _): isOpen ? (closes(seconds) ? givingUp(seconds) : nil) : due - lead
        case .once: isOpen ? singleEnd : due < .infinity ? due : nil
        }
    }

    /// Replaces the plan.
    public mutating func follow(_ plan: ReceiverPlan, at now: Double) {
        guard plan != self.plan else { return }
        self.plan = plan
        beginSearch(now)
        switch plan {
        case .off: closing = now + Self.lingering
        case .continuous: open(at: now)
        // Earlier fixes count: a new request only waits for the rest of the interval.
        case .every(let seconds, _): due = lastServed.map { $0 + seconds } ?? now
        case .once(let time, _): due = time
        }
        advance(to: now)
    }

    /// Handles a fix with this horizontal accuracy (metres, 68 %). Returns whether the fix counts.
    ///
    /// A fix of unknown accuracy is as good as any: its receiver will not report better ones. An inaccurate fix that is
    /// due counts too, but the search for a good fix continues.
    public mutating func admit(accuracy: Double?, at now: Double) -> Bool {
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
            // Receivers that were opened in advance wait until the fix is due: if two fixes must be at least 300 s
            // apart, the second must not arrive after 299 s.
            guard now >= due - (closes(seconds) ? 0 : Self.tolerance) else { return false }
            guard isGood else { break }
            lastServed = now
            endSearch(seconds, now)
        case .once(_, let wanted):
            guard now >= due else { return false }
            guard (accuracy ?? 0) <= wanted else { break }
            lastServed = now
            (due, isOpen) = (.infinity, false)
        }
        return true
    }

    /// Advances the time to `now`, and opens or closes the receivers accordingly.
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
                // A receiver that finds no satellites does not keep searching forever.
                endSearch(seconds, now)
            }
        case .once:
            if isOpen, due <= now, now >= singleEnd { due = .infinity }
            if now < due { isOpen = false } else { open(at: now) }
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
        // Counts the interval from the due time, so that early fixes do not make the next ones earlier and earlier.
        due = max(due, now) + seconds
        if closes(seconds) { isOpen = false }
    }

    private func closes(_ seconds: Double) -> Bool { seconds >= Self.closingInterval }

    private var lead: Double { min(timeToFix, Self.maximumLead) }

    /// Returns the time when the receivers have to open for the next fix.
    private func opening(_ seconds: Double) -> Double { closes(seconds) ? due - lead : due }

    /// The time when the search for a single fix is abandoned.
    private var singleEnd: Double {
        let isHot = lastServed.map { searchingSince - $0 <= Self.hotTime } ?? false
        return max(due, searchingSince) + (isHot ? Self.hotSearch : Self.warmSearch)
    }

    /// Returns the time when the search for a good fix is abandoned until the next fix is due.
    private func givingUp(_ seconds: Double) -> Double {
        max(due, searchingSince) + min(seconds, Self.maximumSearch)
    }
}
