import EventLoopSupport
import Testing

/// The budget's rate and burst.
struct RateBudgetTests {
    @Test func aBurstIsAllowedAndThenTheRate() {
        var budget = RateBudget(perSecond: 100, burst: 200)
        let pauses = [(200.0, 10.0), (100, 10), (0, 11), (100, 12), (50, 12)].map { budget.spend($0, at: $1) }
        #expect(pauses == [0, 1, 0, 0, 0.5])
    }

    @Test func whatExceedsTheRateIsNotAdmitted() {
        var budget = RateBudget(perSecond: 131_072, burst: 262_144)
        var admitted = 0
        for step in 0..<100_000 where budget.admits(1000, at: Double(step) / 10_000) { admitted += 1000 }
        #expect(admitted <= 262_144 + 10 * 131_072)
        #expect(admitted > 9 * 131_072)
    }

    @Test func aClockThatStandsStillGivesNothing() {
        var budget = RateBudget(perSecond: 1, burst: 10)
        let answers = [(10.0, 5.0), (1, 5), (1, 4)].map { budget.admits($0, at: $1) }
        #expect(answers == [true, false, false])
        #expect(!budget.isWhole(at: 14.5) && budget.isWhole(at: 15))
    }
}
