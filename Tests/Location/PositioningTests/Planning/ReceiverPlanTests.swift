import LocationModel
import TestSupport
import Testing

@testable import Positioning

@Suite struct ReceiverPlanTests {
    private static func plan(using random: inout SeededRandom) -> ReceiverPlan {
        switch random.next() % 5 {
        case 0: .off
        case 1: .continuous
        default:
            .every(
                seconds: [15, 30, 60, 300].randomElement(using: &random)!,
                accuracy: [25, 100, 1000, .infinity].randomElement(using: &random)!)
        }
    }

    @Test(arguments: [
        (ReceiverPlan.off, ReceiverPlan.off, ReceiverPlan.off), (.off, .continuous, .continuous),
        (.off, .significantChanges, .every(seconds: 300, accuracy: 250)),
        (.visits, .continuous, .continuous),
        (.visits, .significantChanges, .every(seconds: 120, accuracy: 50)),
        (.every(seconds: 60, accuracy: 1000), .significantChanges, .every(seconds: 60, accuracy: 250)),
        (.region(seconds: 200), .visits, .every(seconds: 120, accuracy: 50)),
        (.once(at: 7, accuracy: 100), .visits, .visits),
        (.every(seconds: 86_400, accuracy: 250), .once(at: 7, accuracy: 100), .every(seconds: 900, accuracy: 100)),
    ])
    func allDemandsMergeIntoOnePlan(a: ReceiverPlan, b: ReceiverPlan, merged: ReceiverPlan) {
        #expect(a.merged(with: b) == merged)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func theOrderOfDemandsDoesNotMatter(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            let (a, b, c) = (
                Self.plan(using: &random), Self.plan(using: &random), Self.plan(using: &random)
            )
            #expect(a.merged(with: b) == b.merged(with: a), "seed \(seed)")
            #expect(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)), "seed \(seed)")
            #expect(a.merged(with: a) == a, "seed \(seed)")
            #expect(a.merged(with: .off) == a, "seed \(seed)")
        }
    }

    @Test func significantChangesMeanAFixEveryFiveMinutes() {
        #expect(ReceiverPlan.significantChanges == .every(seconds: 300, accuracy: 250))
    }
}
