import EventLoopSupport
import NIOCore
import NIOEmbedded
import Testing

struct DeadlineTimerTests {
    private func runs(_ body: (EmbeddedEventLoop, DeadlineTimer, @escaping () -> Void) -> Void) -> Int {
        let loop = EmbeddedEventLoop()
        var runs = 0
        body(loop, DeadlineTimer(on: loop)) { runs += 1 }
        try? loop.syncShutdownGracefully()
        return runs
    }

    @Test func aDeadlineThatMovesLaterIsWaitedFor() {
        let count = runs { loop, timer, body in
            for _ in 0..<10 {
                timer.set(loop.now + .seconds(2), body)
                loop.advanceTime(by: .seconds(1))
            }
        }
        #expect(count == 0)
    }

    @Test func itFiresOnceWhenNothingMovesIt() {
        let count = runs { loop, timer, body in
            timer.set(loop.now + .seconds(2), body)
            loop.advanceTime(by: .seconds(1))
            timer.set(loop.now + .seconds(2), body)
            loop.advanceTime(by: .seconds(2))
            loop.advanceTime(by: .seconds(9))
        }
        #expect(count == 1)
    }

    @Test func anEarlierDeadlineCountsAtOnce() {
        let count = runs { loop, timer, body in
            timer.set(loop.now + .seconds(9), body)
            timer.set(loop.now + .seconds(1), body)
            loop.advanceTime(by: .seconds(1))
        }
        #expect(count == 1)
    }

    @Test func oneThatIsCancelledDoesNotFire() {
        let count = runs { loop, timer, body in
            timer.set(loop.now + .seconds(1), body)
            timer.cancel()
            loop.advanceTime(by: .seconds(9))
        }
        #expect(count == 0)
    }
}
