public import LocationModel

/// The rules for the receivers: which of them are open, whose fixes count, and whether any receiver produces fixes.
///
/// Receivers are identified by number. The caller performs the returned actions in order, and calls `advance(to:)` at
/// `deadline`. Times are in seconds of any steady clock.
public struct ReceiverSelection: Sendable {
    /// A receiver that may be opened.
    public struct Candidate: Sendable, Equatable {
        /// The number that identifies the receiver.
        public let id: Int
        /// A Boolean value indicating whether the receiver reports a place that the owner of the machine has stated.
        public let isFixedPlace: Bool

        /// Creates a candidate.
        public init(id: Int, isFixedPlace: Bool = false) {
            self.id = id
            self.isFixedPlace = isFixedPlace
        }
    }

    /// A step that the caller performs.
    public enum Action: Sendable, Equatable {
        /// Set the interval between fixes, in seconds; `nil` is the normal rate.
        case setInterval(Double?)
        /// Open these receivers.
        case open([Int])
        /// Close all receivers.
        case close
        /// Report that receivers have become available or unavailable; `true` if one produces fixes.
        case report(isAvailable: Bool)
        /// Drop the log's memory of the receivers: the demand has ended, and a new demand gets new messages.
        case forgetMessages
    }

    /// The receiver whose fixes count, and the reason.
    public private(set) var choice = ReceiverChoice()
    /// A Boolean value indicating whether the receivers are open.
    public private(set) var isOpen = false
    /// A Boolean value indicating whether every receiver was tried and none of them produces fixes.
    public private(set) var isUnavailable = false
    /// The receiver of the last fix that counted.
    public private(set) var lastCounted: Int?

    private var cycle = DutyCycle()
    private var candidates: [Candidate] = []
    /// A Boolean value indicating whether a loss was reported, and its end was not.
    private var isLossReported = false
    /// Receivers that are lost or absent and have not produced a fix since. Retrying does not make one available.
    private var lost: Set<Int> = []
    /// The recordings that are over. They begin again only when there is new demand after a time without demand.
    private var ended: Set<Int> = []
    private var isStopped = false

    /// Creates a selection without receivers and without demand.
    public init() {}

    /// The current plan.
    public var plan: ReceiverPlan { cycle.plan }

    /// The time when `advance(to:)` has something to do, or `nil` if it has nothing to do.
    public var deadline: Double? { cycle.deadline }

    /// The time between the required fixes in seconds, or `nil` if all or no fixes are required.
    public var interval: Double? { if case .every(let seconds, _) = plan { seconds } else { nil } }

    // MARK: Demand

    /// Sets the plan.
    public mutating func follow(_ plan: ReceiverPlan, at now: Double) -> [Action] {
        guard plan != cycle.plan, !isStopped else { return [] }
        cycle.follow(plan, at: now)
        return [.setInterval(interval)] + proceed(at: now)
    }

    /// Advances the time to `now`.
    public mutating func advance(to now: Double) -> [Action] {
        cycle.advance(to: now)
        return proceed(at: now)
    }

    /// Opens or closes the receivers according to the plan at `now`. To be called after a fix has been handled, unless
    /// the plan is continuous.
    public mutating func proceed(at now: Double) -> [Action] {
        if cycle.isOpen, !isOpen { return open(at: now) }
        guard !cycle.isOpen else { return [] }
        var actions: [Action] = isOpen ? [.close] : []
        isOpen = false
        if plan == .off { actions.append(forgetAvailability()) }
        return actions
    }

    private mutating func open(at now: Double) -> [Action] {
        isOpen = true
        choice.reopened(at: now)
        lost = ended
        let open = Action.open(candidates.map(\.id).filter { !ended.contains($0) })
        return [open] + (candidates.isEmpty ? setUnavailable(true) : [])
    }

    /// Handles a sleep of the machine: the receivers are opened again. A device may have been reset, and a port that
    /// was lost in this way is silent.
    public mutating func woke(at now: Double) -> [Action] {
        let plan = cycle.plan
        guard plan != .off else { return reset() }
        cycle = DutyCycle()
        choice = ReceiverChoice()
        isOpen = false
        return [.close] + follow(plan, at: now)
    }

    /// Closes all receivers, and ends the demand.
    public mutating func reset() -> [Action] {
        cycle = DutyCycle()
        isOpen = false
        return [.close, forgetAvailability()]
    }

    /// Closes all receivers permanently. Later plans have no effect.
    public mutating func stop() -> [Action] {
        isStopped = true
        return reset()
    }

    // MARK: Receivers

    /// Replaces the candidates. Candidates that stay are not interrupted. New ones are opened if the others are open.
    public mutating func replace(with candidates: [Candidate]) -> [Action] {
        let before = self.candidates
        self.candidates = candidates
        for candidate in before where !candidates.contains(candidate) {
            choice.lose(candidate.id)
            lost.remove(candidate.id)
            ended.remove(candidate.id)
        }
        guard isOpen else { return [] }
        let new = candidates.filter { !before.contains($0) }.map(\.id)
        // A new receiver may still produce fixes. The unavailability ends only with such a fix.
        return (new.isEmpty ? [] : [.open(new)]) + (areAllLost ? setUnavailable(true) : [])
    }

    /// Replaces all candidates by others, without keeping any, and starts again with the same demand.
    public mutating func exchange(for candidates: [Candidate], at now: Double) -> [Action] {
        let plan = cycle.plan
        let actions = reset() + replace(with: [])
        choice = ReceiverChoice()
        lastCounted = nil
        return actions + replace(with: candidates) + follow(plan, at: now)
    }

    /// Handles that a receiver has begun to produce fixes.
    public mutating func found(_ id: Int) -> [Action] {
        lost.remove(id)
        return setUnavailable(false)
    }

    /// Handles that a receiver was lost or could not be opened. `hasEnded` is `true` for a recording that is over.
    public mutating func lose(_ id: Int, hasEnded: Bool = false) -> [Action] {
        choice.lose(id)
        if hasEnded { ended.insert(id) }
        lost.insert(id)
        return areAllLost ? setUnavailable(true) : []
    }

    // MARK: Fixes

    /// Returns whether `location`, a fix that a receiver has just produced, counts.
    public mutating func admits(_ location: borrowing Location, of id: Int, at now: Double) -> Bool {
        guard choice.accepts(location, of: id, at: now),
            cycle.admit(accuracy: isOnlyForNow(location) ? .infinity : location.horizontalAccuracy, at: now)
        else { return false }
        lastCounted = id
        return true
    }

    /// Returns whether a receiver's epoch without a fix is reported: always, unless the fixes of another receiver
    /// count.
    public func reportsAbsence(of id: Int) -> Bool { choice.current == nil || choice.current == id }

    /// Returns whether this receiver produced the last fix that counted, and its fixes still count.
    public func counts(_ id: Int) -> Bool { lastCounted == id && choice.current == id }

    /// Returns whether the fix is from a fixed place while another receiver may still find a better one. Otherwise the
    /// place would end each search at once, and no receiver would ever have time for its first fix.
    private func isOnlyForNow(_ location: borrowing Location) -> Bool {
        location.quality == .fixed && candidates.contains { !$0.isFixedPlace && !lost.contains($0.id) }
    }

    // MARK: Availability

    private var areAllLost: Bool { candidates.allSatisfy { lost.contains($0.id) } }

    private mutating func setUnavailable(_ unavailable: Bool) -> [Action] {
        // The end of a reported loss is reported, even if the loss was dropped in the meantime.
        guard unavailable != isUnavailable || (!unavailable && isLossReported) else { return [] }
        isUnavailable = unavailable
        isLossReported = unavailable
        return [.report(isAvailable: !unavailable)]
    }

    /// Drops the availability when there is no demand any more. New demand gets new reports.
    private mutating func forgetAvailability() -> Action {
        isUnavailable = false
        ended = []
        return .forgetMessages
    }
}
