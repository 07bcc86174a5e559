import EventLoopSupport
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

struct LoopTimerTests {
    /// The timers that have run, in order. Confined to the event loop.
    private final class Runs {
        var names: [String] = []
    }

    private func onEmbeddedLoop(_ body: (EmbeddedEventLoop, Runs) -> Void) {
        let loop = EmbeddedEventLoop()
        body(loop, Runs())
        try? loop.syncShutdownGracefully()
    }

    @Test func itRunsOnceAtItsTime() {
        onEmbeddedLoop { loop, runs in
            let timer = LoopTimer(on: loop)
            timer.set(in: .seconds(2)) { runs.names.append(timer.isSet ? "still set" : "run") }
            #expect(timer.deadline == loop.now + .seconds(2))
            loop.advanceTime(by: .seconds(1))
            #expect(runs.names.isEmpty)
            loop.advanceTime(by: .seconds(5))
            #expect(runs.names == ["run"])
            #expect(!timer.isSet)
        }
    }

    @Test func anotherSettingTakesItsPlace() {
        onEmbeddedLoop { loop, runs in
            let timer = LoopTimer(on: loop)
            timer.set(in: .seconds(2)) { runs.names.append("first") }
            timer.set(in: .seconds(3)) { runs.names.append("second") }
            loop.advanceTime(by: .seconds(9))
            #expect(runs.names == ["second"])
        }
    }

    @Test func whatRunsMaySetItAgain() {
        onEmbeddedLoop { loop, runs in
            let timer = LoopTimer(on: loop)
            timer.set(in: .seconds(1)) {
                runs.names.append("first")
                timer.set(in: .seconds(1)) { runs.names.append("second") }
            }
            loop.advanceTime(by: .seconds(1))
            #expect(runs.names == ["first"])
            #expect(timer.isSet)
            loop.advanceTime(by: .seconds(1))
            #expect(runs.names == ["first", "second"])
        }
    }

    /// Runs on a real loop. Two timers are due in the same turn, and the first one cancels the second. A timer of
    /// NIO's own would run nevertheless.
    @Test func whatIsCancelledInTheTurnInWhichItIsDueDoesNotRun() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let names = try await loop.flatSubmit { () -> EventLoopFuture<[String]> in
            let runs = NIOLoopBound(Runs(), eventLoop: loop)
            let (cancelled, setAgain) = (LoopTimer(on: loop), LoopTimer(on: loop))
            let due = NIODeadline.now() - .seconds(1)
            var scheduled: Scheduled<Void>?
            loop.assumeIsolated().scheduleTask(deadline: due - .seconds(1)) {
                cancelled.cancel()
                setAgain.set(at: due) { runs.value.names.append("set again") }
                scheduled?.cancel()
            }
            cancelled.set(at: due) { runs.value.names.append("cancelled") }
            setAgain.set(at: due) { runs.value.names.append("set before") }
            scheduled = loop.assumeIsolated().scheduleTask(deadline: due) { runs.value.names.append("NIO's own") }
            // The first of these tasks may be due in the same turn as the timers, and then runs before the one that
            // is set again. The second one is not scheduled until that is.
            return loop.scheduleTask(in: .milliseconds(1)) {}.futureResult
                .flatMap { loop.scheduleTask(in: .milliseconds(1)) {}.futureResult }
                .map { runs.value.names }
        }.get()
        #expect(names == ["NIO's own", "set again"])
    }
}
