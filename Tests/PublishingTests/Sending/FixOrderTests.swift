import LocationModel
import Publishing
import Testing

/// The check that a location is put into the queue once, in order of time.
@Suite struct FixOrderTests {
    private func time(_ seconds: Double) -> Timestamp { Timestamp(millisecondsSince1970: Int64(seconds * 1000)) }

    @Test func aTableOfTimes() {
        var order = FixOrder(after: nil)
        let table: [(Double, FixOrder.Verdict)] = [
            (10_000, .inOrder), (10_000, .repeated), (10_000.001, .inOrder), (9_999, .repeated), (6_400.001, .repeated),
            (6_400, .clockSetBack(seconds: 3600.001)), (6_400, .repeated), (6_401, .inOrder), (90_000, .inOrder),
        ]
        for (seconds, verdict) in table { #expect(order.check(time(seconds)) == verdict, "\(seconds)") }
    }

    @Test func theLastLocationOfTheRunBefore() {
        var order = FixOrder(after: time(100))
        #expect(order.check(time(100)) == .repeated)
        #expect(order.check(time(101)) == .inOrder)
    }
}
