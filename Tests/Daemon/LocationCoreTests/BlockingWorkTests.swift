import Dispatch
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOPosix
import PeerIdentity
import Testing

@testable import LocationCore

/// Work that may block for as long as a user's file system likes. ``WakerTests`` covers the other kind of deadline.
struct BlockingWorkTests {
    /// A loop whose time stands still unless it is advanced.
    private let loop = NIOAsyncTestingEventLoop()
    private let work: NIOLoopBound<BlockingWork>

    init() async throws {
        let loop = loop
        work = try await loop.submit {
            NIOLoopBound(
                BlockingWork(on: loop, threadCount: 2, maximumWaiting: 100, deadline: .fromStart(.seconds(1))),
                eventLoop: loop)
        }.get()
    }

    private func run(of uid: UInt32, _ body: @escaping @Sendable () -> Int) -> EventLoopFuture<Int> {
        let work = work
        return loop.flatSubmit { work.value.run(for: uid, body).result }
    }

    private func stop() async throws {
        let work = work
        try await loop.submit { work.value.stop() }.get()
    }

    private func isOverdue(_ future: EventLoopFuture<Int>) async -> Bool {
        do {
            _ = try await future.get()
            return false
        } catch BlockingWork.Failure.overdue {
            return true
        } catch {
            return false
        }
    }

    /// Attack: a look at a user's process never ends. The user is refused until it does. Nobody else waits.
    @Test func aHangingUserIsRefusedAndNobodyElseWaits() async throws {
        let release = DispatchSemaphore(value: 0)
        let hanging = run(of: 1) {
            release.wait()
            return 1
        }
        let waiting = run(of: 1) { 2 }
        for number in 0..<20 { #expect(try await run(of: 2) { number }.get() == number) }
        await loop.advanceTime(by: .seconds(1))
        #expect(await isOverdue(hanging))
        #expect(await isOverdue(waiting))
        // While it hangs, no other work for this user begins.
        #expect(await isOverdue(run(of: 1) { 3 }))
        #expect(try await run(of: 2) { 4 }.get() == 4)
        release.signal()
        var isDone = false
        while !isDone { isDone = await !isOverdue(run(of: 1) { 5 }) }
        #expect(try await run(of: 1) { 6 }.get() == 6)
        try await stop()
    }

    /// Work of which half of the threads are reserved: for root, for the user 1000, who is logged in, and for users
    /// whose work was done in time.
    private func reservedWork(on loop: NIOAsyncTestingEventLoop) async throws -> NIOLoopBound<BlockingWork> {
        try await loop.submit {
            NIOLoopBound(
                BlockingWork(
                    on: loop, threadCount: 4, reservedThreadCount: 2, standing: LookupStanding { $0 == 1000 },
                    maximumWaiting: 100, deadline: .fromStart(.seconds(1))), eventLoop: loop)
        }.get()
    }

    /// Attack: as many users as there are threads make the daemon look into file systems that never answer. Others are
    /// looked up all the same, if they are root, logged in, or known.
    @Test func hangingUsersDoNotTakeTheReservedThreads() async throws {
        let work = try await reservedWork(on: loop)
        func run(_ uid: UInt32, _ body: @escaping @Sendable () -> Int) -> EventLoopFuture<Int> {
            loop.flatSubmit { work.value.run(for: uid, body).result }
        }
        #expect(try await run(7) { 7 }.get() == 7)
        let release = DispatchSemaphore(value: 0)
        let hanging = (1...6 as ClosedRange<UInt32>).map { uid in
            run(uid) {
                release.wait()
                return 0
            }
        }
        for number in 0..<20 {
            for uid in [0, 7, 1000] as [UInt32] { #expect(try await run(uid) { number }.get() == number) }
        }
        let newcomer = run(8) { 8 }
        await loop.advanceTime(by: .seconds(1))
        for future in hanging { #expect(await isOverdue(future)) }
        // Nothing is known about this one, who waits for one of the other threads, and not for ever.
        #expect(await isOverdue(newcomer))
        for uid in [0, 7, 1000] as [UInt32] { #expect(try await run(uid) { 1 }.get() == 1) }
        for _ in 0..<2 { release.signal() }
        var isDone = false
        while !isDone { isDone = await !isOverdue(run(8) { 8 }) }
        try await loop.submit { work.value.stop() }.get()
    }

    /// Attack: users behave until threads are reserved for them, and then hang. Each can do so once in an hour.
    @Test func whoHasHungGetsNoReservedThread() async throws {
        let work = try await reservedWork(on: loop)
        func run(_ uid: UInt32, _ body: @escaping @Sendable () -> Int) -> EventLoopFuture<Int> {
            loop.flatSubmit { work.value.run(for: uid, body).result }
        }
        let release = DispatchSemaphore(value: 0)
        let uids = [1, 2, 1000, 7] as [UInt32]
        for uid in uids { #expect(try await run(uid) { 1 }.get() == 1) }
        let first = uids.dropLast().map { uid in
            run(uid) {
                release.wait()
                return 0
            }
        }
        await loop.advanceTime(by: .seconds(1))
        for future in first { #expect(await isOverdue(future)) }
        for _ in first { release.signal() }
        for uid in uids {
            var isDone = false
            while !isDone { isDone = await !isOverdue(run(uid) { 1 }) }
        }
        let second = uids.dropLast().map { uid in
            run(uid) {
                release.wait()
                return 0
            }
        }
        for number in 0..<20 {
            for uid in [0, 7] as [UInt32] { #expect(try await run(uid) { number }.get() == number) }
        }
        // The third waits for a thread of the first two.
        for _ in second { release.signal() }
        for future in second { #expect(try await future.get() == 0) }
        try await loop.submit { work.value.stop() }.get()
    }

    /// What waits for a thread can be withdrawn, and what waits behind it takes its place.
    @Test func whatWaitsForAThreadCanBeWithdrawn() async throws {
        let release = DispatchSemaphore(value: 0)
        let hanging = (1...2 as ClosedRange<UInt32>).map { uid in
            run(of: uid) {
                release.wait()
                return 0
            }
        }
        let work = work
        let withdrawn = loop.flatSubmit {
            let request = work.value.run(for: 3) { 3 }
            request.withdraw()
            return request.result
        }
        let first = loop.flatSubmit {
            let request = work.value.run(for: 4) { 4 }
            let next = work.value.run(for: 4) { 5 }.result
            request.withdraw()
            return next
        }
        await #expect(throws: BlockingWork.Failure.self) { try await withdrawn.get() }
        for _ in hanging { release.signal() }
        #expect(try await first.get() == 5)
        for future in hanging { #expect(try await future.get() == 0) }
        try await stop()
    }

    /// A callback that receives a result may request more work.
    @Test func aCallbackMayRequestMoreWork() async throws {
        let work = work
        let first = run(of: 1) { 1 }
        let second = loop.flatSubmit {
            first.flatMap { number in work.value.run(for: 1) { number + 1 }.result }
        }
        #expect(try await second.get() == 2)
        try await stop()
    }

    /// The work ends just as its time ends: both are handled in the same turn of the loop, mostly in that order. The
    /// user's next work is not overdue.
    @Test func whatEndsAsItsTimeEndsHasEnded() async throws {
        // A loop of its own, because this test blocks it.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let number = try await loop.flatSubmit { () -> EventLoopFuture<Int> in
            let time = TimeAmount.seconds(3)
            let work = NIOLoopBound(
                BlockingWork(on: loop, threadCount: 1, maximumWaiting: 1, deadline: .fromStart(time)), eventLoop: loop)
            let isDone = DispatchSemaphore(value: 0)
            _ = work.value.run(for: 1) { isDone.signal() }
            isDone.wait()
            let end = NIODeadline.now() + time
            while NIODeadline.now() < end { usleep(1000) }
            // After the turn in which both are handled.
            return loop.scheduleTask(in: .milliseconds(1)) {}.futureResult
                .flatMap { work.value.run(for: 1) { 2 }.result }
                .flatMapErrorThrowing { error in
                    // It was begun, which is what counts here. Its thread was then held up for three seconds.
                    guard case .overdue(hasBegun: true)? = error as? BlockingWork.Failure else { throw error }
                    return 2
                }
                .always { _ in work.value.stop() }
        }.get()
        #expect(number == 2)
        try await group.shutdownGracefully()
    }

    /// Time spent waiting does not count: a user may open ten thousand connections at once.
    @Test func whatWaitsIsNotOverdue() async throws {
        let release = DispatchSemaphore(value: 0)
        let futures = (0..<3).map { number in
            run(of: 1) {
                release.wait()
                return number
            }
        }
        for (number, future) in futures.enumerated() {
            await loop.advanceTime(by: .milliseconds(900))
            release.signal()
            #expect(try await future.get() == number)
        }
        try await stop()
    }

    /// Attack: a user connects and disconnects without end while a look at one of its processes hangs. The requests
    /// of closed connections are dropped at once and never carried out.
    @Test func whatIsWithdrawnIsNotDone() async throws {
        let (release, hasRun) = (DispatchSemaphore(value: 0), NIOLockedValueBox(false))
        let work = work
        let hanging = run(of: 1) {
            release.wait()
            return 1
        }
        let withdrawn = loop.flatSubmit {
            let request = work.value.run(for: 1) {
                hasRun.withLockedValue { $0 = true }
                return 2
            }
            request.withdraw()
            return request.result
        }
        await #expect(throws: BlockingWork.Failure.self) { try await withdrawn.get() }
        let last = run(of: 1) { 3 }
        release.signal()
        #expect(try await hanging.get() == 1)
        #expect(try await last.get() == 3)
        #expect(!hasRun.withLockedValue { $0 })
        try await stop()
    }
}
