import CTestSupport
import Dispatch
import Glibc
import Linux
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Testing

@testable import EventLoopSupport

@Suite(.timeLimit(.minutes(5))) struct PollingLoopTests {
    private static func end(_ loop: PollingLoop) async {
        await withCheckedContinuation { done in
            loop.shutdownGracefully(queue: .global()) { _ in done.resume() }
        }
    }

    @Test func tasksRunOnTheLoopInOrder() async throws {
        let loop = try PollingLoop()
        let order = NIOLockedValueBox([Int]())
        for number in 0..<1000 { loop.execute { order.withLockedValue { $0.append(number) } } }
        #expect(try await loop.submit { loop.inEventLoop }.get())
        #expect(!loop.inEventLoop)
        #expect(order.withLockedValue(\.self) == Array(0..<1000))
        await Self.end(loop)
    }

    /// From many threads, no task is lost, also not one that comes while the loop begins to wait.
    @Test func noTaskIsLost() async throws {
        let loop = try PollingLoop()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<500 { _ = try? await loop.submit {}.get() } }
            }
        }
        await Self.end(loop)
    }

    /// Timers follow the given clock, in whatever order they were set, and a cancelled one does not fire.
    @Test func timersFollowTheGivenClock() async throws {
        let time = NIOLockedValueBox(NIODeadline.uptimeNanoseconds(1_000_000_000))
        let loop = try PollingLoop { time.withLockedValue(\.self) }
        let late = loop.scheduleTask(in: .seconds(100)) { "late" }
        let early = loop.scheduleTask(in: .seconds(50)) { "early" }
        let never = loop.scheduleTask(in: .seconds(60)) { "never" }
        never.cancel()
        time.withLockedValue { $0 = $0 + .seconds(50) }
        loop.execute {}
        #expect(try await early.futureResult.get() == "early")
        await #expect(throws: EventLoopError.self) { try await never.futureResult.get() }
        let timer = try await loop.submit {
            let timer = NIOLoopBound(LoopTimer(on: loop), eventLoop: loop)
            timer.value.set(in: .seconds(10)) {}
            return timer
        }.get()
        #expect(try await loop.submit { timer.value.isSet }.get())
        time.withLockedValue { $0 = $0 + .seconds(50) }
        loop.execute {}
        #expect(try await late.futureResult.get() == "late")
        #expect(try await loop.submit { timer.value.isSet }.get() == false)
        await Self.end(loop)
    }

    /// A descriptor that is ready all the time keeps out neither tasks nor timers nor other descriptors.
    @Test func theyTakeTurns() async throws {
        let loop = try PollingLoop()
        let pipes = (try WakePipe(), try WakePipe())
        let count = try await loop.submit {
            let poller = try DescriptorPoller(on: loop)
            let state = NIOLoopBoundBox((watches: [DescriptorPoller.Watch](), first: 0, second: 0), eventLoop: loop)
            let first = poller.watch(pipes.0.descriptor) { _ in
                state.value.first += 1
                try? state.value.watches[0].wait(for: .readable)
            }
            let second = poller.watch(pipes.1.descriptor) { _ in state.value.second += 1 }
            state.value.watches = [first, second]
            try first.wait(for: .readable)
            try second.wait(for: .readable)
            return state
        }.get()
        pipes.0.wake()
        try await eventually("the busy one") { try await loop.submit { count.value.first > 100 }.get() }
        pipes.1.wake()
        try await eventually("the other") { try await loop.submit { count.value.second == 1 }.get() }
        _ = try await loop.scheduleTask(in: .milliseconds(1)) {}.futureResult.get()
        try await loop.submit { count.value.watches.forEach { $0.end() } }.get()
        await Self.end(loop)
        withExtendedLifetime(pipes) {}
    }

    /// A watch that has ended reports nothing, although its event was on the way.
    @Test func anEndedWatchIsSilent() async throws {
        let loop = try PollingLoop()
        let pipes = (try WakePipe(), try WakePipe())
        let reports = try await loop.submit {
            let poller = try DescriptorPoller(on: loop)
            let state = NIOLoopBoundBox((watches: [DescriptorPoller.Watch](), reports: 0), eventLoop: loop)
            for pipe in [pipes.0, pipes.1] {
                let watch = poller.watch(pipe.descriptor) { _ in
                    state.value.reports += 1
                    state.value.watches.forEach { $0.end() }
                }
                state.value.watches.append(watch)
                try watch.wait(for: .readable)
                pipe.wake()
            }
            return state
        }.get()
        try await eventually("a report") { try await loop.submit { reports.value.reports > 0 }.get() }
        try await loop.submit {}.get()
        #expect(try await loop.submit { reports.value.reports }.get() == 1)
        await Self.end(loop)
        withExtendedLifetime(pipes) {}
    }

    @Test func itIsTheExecutorOfActors() async throws {
        actor Counter {
            nonisolated let loop: PollingLoop
            nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
            private var count = 0
            init(_ loop: PollingLoop) { self.loop = loop }
            func add() -> (Int, Bool) {
                count += 1
                return (count, loop.inEventLoop)
            }
        }
        let counter = Counter(try PollingLoop())
        for number in 1...100 { #expect(await counter.add() == (number, true)) }
        await Self.end(counter.loop)
    }
}
