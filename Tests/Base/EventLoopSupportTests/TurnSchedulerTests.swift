import NIOCore
import NIOEmbedded
import Testing

@testable import EventLoopSupport

struct TurnSchedulerTests {
    private final class Taker: TurnTaker {
        private let onTurn: () -> Void

        init(onTurn: @escaping () -> Void) { self.onTurn = onTurn }

        func takeTurn() { onTurn() }
    }

    private let loop = EmbeddedEventLoop()
    private let idle = Taker {}

    /// Uses up the share of user `uid`.
    private func useShare(of uid: UInt32, _ turns: TurnScheduler) -> Bool {
        turns.run(idle, of: uid) { loop.advanceTime(by: LoopShares.share) }
    }

    @Test func aCallIsHandledAtOnceWithinTheShare() {
        let turns = TurnScheduler(on: loop)
        var handled = 0
        for _ in 0..<3 {
            let isHandled = turns.run(idle, of: 1) { handled += 1 }
            #expect(isHandled)
        }
        #expect(handled == 3)
    }

    /// Attack: a user's calls through one front use up its share, and those through another front are handled all the
    /// same.
    @Test func theShareIsOneForAllConnections() {
        let turns = TurnScheduler(on: loop)
        #expect(useShare(of: 1, turns))
        var turnsTaken = 0
        let isHandled = turns.run(Taker { turnsTaken += 1 }, of: 1) { turnsTaken += 100 }
        #expect(!isHandled)
        #expect(useShare(of: 2, turns))
        loop.advanceTime(by: LoopShares.period)
        #expect(turnsTaken == 1)
    }

    /// Attack: a user calls with all of its subordinate IDs.
    @Test func subordinateUsersHaveTheirOwnersShare() {
        let turns = TurnScheduler(on: loop) { $0 >= 100_000 ? 1 : $0 }
        #expect(useShare(of: 100_000, turns))
        #expect(!useShare(of: 100_001, turns))
        #expect(!useShare(of: 1, turns))
        #expect(useShare(of: 2, turns))
    }

    @Test func connectionsTakeTurnsInTheOrderOfTheirCalls() {
        let turns = TurnScheduler(on: loop)
        var order: [Int] = []
        #expect(useShare(of: 1, turns))
        let first = Taker { order.append(1) }
        let second = Taker { order.append(2) }
        #expect(!turns.run(first, of: 1) {})
        #expect(!turns.run(second, of: 1) {})
        #expect(!turns.run(first, of: 1) {})
        loop.advanceTime(by: LoopShares.period)
        #expect(order == [1, 2, 1])
    }

    @Test func aCallMadeDuringATurnWaitsBehindTheOthers() {
        let turns = TurnScheduler(on: loop)
        var order: [String] = []
        #expect(useShare(of: 1, turns))
        let again = Taker { order.append("again") }
        let first = Taker {
            order.append("first")
            #expect(!turns.run(again, of: 1) { order.append("at once") })
        }
        #expect(!turns.run(first, of: 1) {})
        #expect(!turns.run(Taker { order.append("second") }, of: 1) {})
        loop.advanceTime(by: LoopShares.period)
        #expect(order == ["first", "second", "again"])
    }

    @Test func nothingIsScheduledWhenNobodyWaits() {
        let turns = TurnScheduler(on: loop)
        #expect(useShare(of: 1, turns))
        #expect(!turns.run(idle, of: 1) {})
        loop.advanceTime(by: LoopShares.period)
        // Handled at once: the queue of the user is gone.
        var isHandled = false
        #expect(turns.run(idle, of: 1) { isHandled = true })
        #expect(isHandled)
    }
}
