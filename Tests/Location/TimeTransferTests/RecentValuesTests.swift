import TestSupport
import Testing

@testable import TimeTransfer

@Suite struct RecentValuesTests {
    @Test(
        arguments: [
            ([], nil, nil), ([5], 5, 0), ([1, 9], 9, 8), ([3, 1, 2], 2, 1), ([4, 4, 4, 1000], 4, 0),
            ([0, 10, 20, 30, 40], 20, 20),
        ] as [([Int64], Int64?, Int64?)])
    func medianAndSpread(values: [Int64], median: Int64?, spread: Int64?) {
        var recent = RecentValues()
        for value in values { recent.add(value) }
        #expect(recent.median == median)
        #expect(recent.spread == spread)
        #expect(recent.count == values.count)
    }

    @Test func onlyTheLast32Count() {
        var random = SeededRandom(seed: 11)
        var recent = RecentValues()
        var all: [Int64] = []
        for _ in 0..<200 {
            let value = Int64.random(in: -1_000_000...1_000_000, using: &random)
            recent.add(value)
            all.append(value)
            let last = all.suffix(RecentValues.capacity).sorted()
            #expect(recent.count == last.count)
            #expect(recent.median == last[last.count / 2])
        }
    }
}
