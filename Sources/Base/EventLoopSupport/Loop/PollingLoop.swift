internal import CLinux
package import Dispatch
internal import Glibc
package import Linux
internal import NIOConcurrencyHelpers
package import NIOCore

/// An event loop on a thread of its own that waits for any descriptors, not only for channels of NIO.
///
/// A turn handles the descriptors that are ready, then the timers that are due, then the tasks that were there when the
/// tasks' turn began, so that none of them keeps out the others. No thread but the loop's wakes up for a descriptor.
package final class PollingLoop: NIOSerialEventLoopExecutor, @unchecked Sendable {
    /// Tasks from other threads that the loop has not removed yet.
    private struct Added {
        var tasks: [() -> Void] = []
        var hasEnded = false
    }

    /// The watched descriptors. Confined to the loop.
    let watches: DescriptorWatches
    private let epoll: Epoll
    private let clock: @Sendable () -> NIODeadline
    private let added = NIOLockedValueBox(Added())
    /// The loop's thread. It is set before the initializer returns, and never again.
    private var thread = pthread_t()
    // Confined to the loop
    private var tasks: [() -> Void] = []
    private var timers = TimerQueue()

    /// Starts the thread. It runs until ``shutdownGracefully(queue:_:)``.
    ///
    /// - Parameter clock: Returns the time that counts for timers. The loop notices at its next turn that it has jumped.
    package init(clock: @escaping @Sendable () -> NIODeadline = NIODeadline.now) throws(SystemCallError) {
        watches = try DescriptorWatches()
        epoll = watches.epoll
        self.clock = clock
        let started = DispatchSemaphore(value: 0)
        try DetachedThread.start { [self] in
            thread = pthread_self()
            started.signal()
            run()
        }
        started.wait()
    }

    // MARK: The turns

    private func run() {
        while true {
            var isWoken = false
            epoll.wait(nanoseconds: pause) { id, events in
                if id == Epoll.wakeID { isWoken = true } else { watches.report(events, id: id) }
            }
            if !timers.isEmpty { runTimers() }
            if isWoken, takeAdded() { return }
            if !tasks.isEmpty { runTasks() }
        }
    }

    /// The time until the next timer, in nanoseconds, or -1 if there is none.
    private var pause: Int64 {
        guard tasks.isEmpty else { return 0 }
        guard let next = timers.next else { return -1 }
        return max(0, (next - clock()).nanoseconds)
    }

    private func runTimers() {
        let (now, last) = (clock(), timers.lastOrder)
        while let body = timers.removeDue(at: now, setUpTo: last) { body() }
    }

    private func runTasks() {
        let running = tasks
        tasks = []
        for task in running { task() }
    }

    /// Takes over what other threads have added. Returns `true` if the loop has ended.
    private func takeAdded() -> Bool {
        // The pipe stays readable if it cannot be watched again, and the loop ends: it could not be reached any more.
        guard (try? epoll.allowWaking()) != nil else { return true }
        let (more, hasEnded) = added.withLockedValue { added in
            defer { added.tasks = [] }
            return (added.tasks, added.hasEnded)
        }
        tasks += more
        return hasEnded
    }

    // MARK: EventLoop

    package var inEventLoop: Bool { pthread_equal(thread, pthread_self()) != 0 }

    package var now: NIODeadline { clock() }

    package func execute(_ task: @escaping @Sendable () -> Void) {
        if inEventLoop { return tasks.append(task) }
        let isFirst = added.withLockedValue { added in
            added.tasks.append(task)
            return added.tasks.count == 1
        }
        if isFirst { epoll.wake() }
    }

    @discardableResult
    package func scheduleTask<T>(
        deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T
    ) -> Scheduled<T> {
        let promise = makePromise(of: T.self)
        let timer = NIOLoopBoundBox<TimerQueue.Entry?>.makeEmptyBox(valueType: TimerQueue.Entry.self, eventLoop: self)
        onLoop { [self] in
            timer.value = timers.set(at: deadline) {
                do { promise.assumeIsolated().succeed(try task()) } catch { promise.fail(error) }
            }
        }
        return Scheduled(promise: promise) { [self] in
            onLoop { [self] in if let timer = timer.value { timers.cancel(timer) } }
        }
    }

    @discardableResult
    package func scheduleTask<T>(in time: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: now + time, task)
    }

    private func onLoop(_ body: @escaping @Sendable () -> Void) {
        if inEventLoop { body() } else { execute(body) }
    }

    /// Sets a timer without a future. To be called on the loop.
    func setTimer(at deadline: NIODeadline, _ body: @escaping () -> Void) -> TimerQueue.Entry {
        timers.set(at: deadline, body)
    }

    /// Cancels a timer. To be called on the loop.
    func cancel(_ timer: TimerQueue.Entry) { timers.cancel(timer) }

    /// Ends the thread after its turn. What is added afterwards is never run.
    package func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        added.withLockedValue { $0.hasEnded = true }
        epoll.wake()
        queue.async { callback(nil) }
    }
}
