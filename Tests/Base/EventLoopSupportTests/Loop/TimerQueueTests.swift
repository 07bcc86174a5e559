import NIOCore
import TestSupport
import Testing

@testable import EventLoopSupport

@Suite struct TimerQueueTests {
    private static func time(_ nanoseconds: Int) -> NIODeadline { .uptimeNanoseconds(UInt64(nanoseconds)) }

    /// Timers fire in the order of their deadlines, and of their setting if these are equal. Cancelled timers do not
    /// fire. The model is a list that is sorted each time.
    @Test(arguments: 0..<20) func theyFireInOrder(life: Int) {
        var chance = SeededRandom(seed: UInt64(life))
        var queue = TimerQueue()
        var model: [(deadline: Int, number: Int, entry: TimerQueue.Entry)] = []
        var (now, number, fired) = (1, 0, [Int]())
        for _ in 0..<2000 {
            switch Int.random(in: 0..<4, using: &chance) {
            case 0, 1:
                let deadline = now + Int.random(in: 0..<50, using: &chance)
                let own = number
                number += 1
                model.append((deadline, own, queue.set(at: Self.time(deadline)) { fired.append(own) }))
            case 2 where !model.isEmpty:
                let index = Int.random(in: 0..<model.count, using: &chance)
                queue.cancel(model[index].entry)
                model.remove(at: index)
            default:
                now += Int.random(in: 0..<10, using: &chance)
                fired = []
                while let body = queue.removeDue(at: Self.time(now), setUpTo: queue.lastOrder) { body() }
                let due = model.filter { $0.deadline <= now }.sorted {
                    ($0.deadline, $0.number) < ($1.deadline, $1.number)
                }
                #expect(fired == due.map(\.number))
                model.removeAll { $0.deadline <= now }
            }
            #expect(queue.next == model.map(\.deadline).min().map(Self.time))
            #expect(queue.isEmpty == model.isEmpty)
        }
    }

    /// A timer that sets itself again for the same time does not keep out the descriptors.
    @Test func aTimerThatIsSetMeanwhileWaits() {
        var queue = TimerQueue()
        _ = queue.set(at: Self.time(1)) {}
        let last = queue.lastOrder
        #expect(queue.removeDue(at: Self.time(5), setUpTo: last) != nil)
        _ = queue.set(at: Self.time(1)) {}
        #expect(queue.removeDue(at: Self.time(5), setUpTo: last) == nil)
        #expect(queue.removeDue(at: Self.time(5), setUpTo: queue.lastOrder) != nil)
    }

    /// A timer that is cancelled and set again without end takes no memory: its deadlines are far away.
    @Test func cancelledTimersDoNotPileUp() {
        var queue = TimerQueue()
        _ = queue.set(at: Self.time(1)) {}
        for number in 0..<100_000 { queue.cancel(queue.set(at: Self.time(1_000_000 + number)) {}) }
        #expect(queue.count < 100)
    }
}
