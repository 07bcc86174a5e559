/// A budget that refills at a constant rate, up to a burst.
package struct RateBudget: Sendable {
    private let perSecond: Double
    private let burst: Double
    private var left: Double
    private var last: Double?

    /// Creates an unspent budget.
    package init(perSecond: Double, burst: Double) {
        (self.perSecond, self.burst) = (perSecond, burst)
        left = burst
    }

    /// Spends an amount, which may exceed the budget.
    ///
    /// - Parameter now: The time in seconds, by a monotonic clock.
    /// - Returns: The number of seconds to wait before more is spent; 0 if the budget suffices.
    package mutating func spend(_ amount: Double, at now: Double) -> Double {
        refill(at: now)
        left -= amount
        return left >= 0 ? 0 : -left / perSecond
    }

    /// Spends an amount if the budget suffices. Returns whether it does.
    package mutating func admits(_ amount: Double, at now: Double) -> Bool {
        refill(at: now)
        guard left >= amount else { return false }
        left -= amount
        return true
    }

    /// Returns whether the budget is unspent.
    package func isWhole(at now: Double) -> Bool {
        var budget = self
        budget.refill(at: now)
        return budget.left >= burst
    }

    private mutating func refill(at now: Double) {
        if let last { left = min(burst, left + max(0, now - last) * perSecond) }
        last = max(last ?? now, now)
    }
}
