import LocationModel
import Publishing
import Testing

/// The check that a location is put into the queue once, in order of time.
@Suite struct FixOrderTests {
    private func time(_ seconds: Double) -> Timestamp { Timestamp(millisecondsSince1970: Int64(seconds * 1000)) }

    @Test func aTableOfTimes() {
        var order = FixOrder(after: nil)
        let table: [(Double, FixOrder.Verdict)] = [
            (10_000, .inOrder), (10_000, .repeated), (10_001, .inOrder), (9_999, .late(seconds: 2)),
            (6_401, .late(seconds: 3600)), (6_400, .clockSetBack(seconds: 3601)), (6_400, .repeated), (6_401, .inOrder),
            (90_000, .inOrder),
        ]
        for (seconds, verdict) in table { #expect(order.check(time(seconds)) == verdict, "\(seconds)") }
    }

    /// A receiver's clock that is set back by some minutes costs one location, not those minutes.
    @Test func aClockThatIsSetBackALittle() {
        var order = FixOrder(after: time(1000))
        let table: [(Double, FixOrder.Verdict)] = [
            (700, .late(seconds: 300)), (701, .clockSetBack(seconds: 299)), (702, .inOrder), (1000, .inOrder),
        ]
        for (seconds, verdict) in table { #expect(order.check(time(seconds)) == verdict, "\(seconds)") }
    }

    /// Two clocks that take turns do not make each other believed.
    @Test func twoClocks() {
        var order = FixOrder(after: nil)
        _ = order.check(time(1000))
        for second in 1...100 {
            #expect(order.check(time(995 + Double(second))) == .late(seconds: 4))
            #expect(order.check(time(1000 + Double(second))) == .inOrder)
        }
    }

    /// The last known location, again with each start of the daemon.
    @Test func anOldLocationThatIsRepeated() {
        var order = FixOrder(after: time(1000))
        for _ in 1...3 { #expect(order.check(time(990)) == .late(seconds: 10)) }
    }

    @Test func theLastLocationOfTheRunBefore() {
        var order = FixOrder(after: time(100))
        #expect(order.check(time(100)) == .repeated)
        #expect(order.check(time(101)) == .inOrder)
    }
}
