internal import CLinux
internal import EventLoopSupport
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import PeerIdentity

/// Runs work that a user's file system may block indefinitely, on threads of its own, one job at a time per user.
///
/// Confined to the event loop. Attack: a user mounts a file system that never answers, and makes the daemon look
/// inside it. Such a user occupies one thread and delays no other. Several such users occupy the threads that are
/// not reserved: see `LookupStanding`.
final class BlockingWork {
    /// The reason why a job was not done.
    enum Failure: Error {
        /// The job, or the job it waited for, took too long. A job that had begun may still be done.
        case overdue(hasBegun: Bool)
        /// Too many jobs of that user are waiting already.
        case queueFull
        /// The job was withdrawn, or the service is stopping. A job that had begun may still be done.
        case stopped(hasBegun: Bool)
    }

    /// The time limit of a job, and when it begins to count.
    enum Deadline {
        /// Counted from the request. Each waiting job has a deadline of its own.
        case fromSubmission(TimeAmount)
        /// Counted from the start of the job and, before that, from the moment when only a thread is missing. If a job
        /// is overdue, its user's jobs waiting behind it fail with it, as do new ones until its thread returns.
        case fromStart(TimeAmount)
    }

    /// A job that was submitted.
    struct Request<Value: Sendable> {
        /// The value of the job. Fails with a ``Failure``.
        let result: EventLoopFuture<Value>
        /// Withdraws the job, unless it has begun.
        let withdraw: () -> Void
    }

    private let loop: any EventLoop
    private let threadCount: Int
    private let reservedThreadCount: Int
    private var standing: LookupStanding
    private let maximumWaiting: Int
    private let deadline: Deadline
    private var threads = SpareThreads()
    /// The attempts of each user that has any. The first one is running, unless the user is ``waiting``.
    private var attempts: [UInt32: CircularBuffer<Attempt>] = [:]
    /// The users whose first attempt waits for a thread: users who may use the reserved ones, and others.
    private var waiting = (reserved: CircularBuffer<UInt32>(), unreserved: CircularBuffer<UInt32>())
    /// The number of threads in use, in all and by users who may not use the reserved ones.
    private var running = (all: 0, unreserved: 0)
    private var isStopped = false

    /// - Parameters:
    ///   - threadCount: The number of users whose jobs have to hang at the same time before other users wait.
    ///   - reservedThreadCount: The number of these threads that only run jobs of users in good standing.
    ///   - standing: The standing of the users, which the jobs change.
    ///   - maximumWaiting: The number of one user's attempts that may wait behind the running one.
    init(
        on loop: any EventLoop, threadCount: Int, reservedThreadCount: Int = 0,
        standing: LookupStanding = LookupStanding(), maximumWaiting: Int, deadline: Deadline
    ) {
        self.loop = loop
        self.threadCount = threadCount
        self.reservedThreadCount = reservedThreadCount
        self.standing = standing
        self.maximumWaiting = maximumWaiting
        self.deadline = deadline
    }

    /// A Boolean value indicating whether a thread has been started.
    var hasThreads: Bool { threads.hasStarted }

    /// Runs `body` on a thread once no other job of user `uid` is running.
    func run<Value: Sendable>(for uid: UInt32, _ body: @escaping @Sendable () -> Value) -> Request<Value> {
        guard !isStopped else { return failed(.stopped(hasBegun: false)) }
        if case .fromStart = deadline, attempts[uid]?.first?.isFinished == true {
            return failed(.overdue(hasBegun: false))
        }
        // Attack: an app keeps requesting something that hangs.
        let count = attempts[uid]?.count ?? 0
        guard count <= maximumWaiting else { return failed(.queueFull) }
        let promise = loop.makePromise(of: Value.self)
        let attempt = Attempt(on: loop) { failure in promise.fail(failure) }
        attempt.start = {
            let hasReturned = attempt.hasReturned
            let job: @Sendable () -> Value = {
                defer {
                    // The thread may not be needed again for days.
                    memory_give_back_stack()
                    hasReturned.withLockedValue { $0 = true }
                }
                return body()
            }
            let thread = self.threads.borrow()
            thread.runIfActive(eventLoop: self.loop, job).assumeIsolated().whenComplete { result in
                self.threads.putBack(thread)
                if self.isStopped { self.threads.end() }
                let isInTime = attempt.finish()
                if isInTime { self.standing.noteAnswer(of: uid) }
                // Before the caller is notified, because it may submit another job at once.
                self.runNext(after: attempt, of: uid)
                guard isInTime else { return }
                switch result {
                case .success(let value): promise.succeed(value)
                case .failure: promise.fail(Failure.stopped(hasBegun: false))
                }
            }
        }
        attempts[uid, default: []].append(attempt)
        if case .fromSubmission(let time) = deadline { setDeadline(of: attempt, time, uid) }
        if count == 0 { beginWhenPossible(attempt, uid) }
        return Request(result: promise.futureResult) { self.withdraw(attempt, of: uid) }
    }

    private func failed<Value: Sendable>(_ failure: Failure) -> Request<Value> {
        Request(result: loop.makeFailedFuture(failure)) {}
    }

    /// Fails all unfinished jobs. A job running on a thread continues, and its result is dropped.
    func stop() {
        isStopped = true
        for queue in attempts.values {
            for attempt in queue { attempt.fail(.stopped(hasBegun: attempt.hasBegun)) }
        }
        attempts = [:]
        waiting = (reserved: [], unreserved: [])
        threads.end()
    }

    /// Begins a user's first attempt as soon as there is a thread for it.
    private func beginWhenPossible(_ attempt: Attempt, _ uid: UInt32) {
        setDeadlineFromStart(of: attempt, uid)
        if reservedThreadCount == 0 || standing.isReserved(for: uid, at: loop.now.uptimeNanoseconds) {
            waiting.reserved.append(uid)
        } else {
            waiting.unreserved.append(uid)
        }
        beginWaiting()
    }

    /// Begins waiting attempts, while there are threads for them. Users who may not use the reserved threads come
    /// first: these threads are left to the others.
    private func beginWaiting() {
        while running.all < threadCount {
            if running.unreserved < threadCount - reservedThreadCount, let uid = waiting.unreserved.popFirst() {
                begin(uid, isReserved: false)
            } else if let uid = waiting.reserved.popFirst() {
                begin(uid, isReserved: true)
            } else {
                return
            }
        }
    }

    private func begin(_ uid: UInt32, isReserved: Bool) {
        guard let attempt = attempts[uid]?.first else { return }
        running.all += 1
        if !isReserved { running.unreserved += 1 }
        attempt.isReserved = isReserved
        attempt.hasBegun = true
        setDeadlineFromStart(of: attempt, uid)
        let start = attempt.start
        attempt.start = nil
        start?()
    }

    /// Sets the deadline of an attempt that has begun, or that only waits for a thread.
    private func setDeadlineFromStart(of attempt: Attempt, _ uid: UInt32) {
        if case .fromStart(let time) = deadline { setDeadline(of: attempt, time, uid) }
    }

    private func setDeadline(of attempt: Attempt, _ time: TimeAmount, _ uid: UInt32) {
        attempt.deadline.set(in: time) { self.giveUp(attempt, of: uid) }
    }

    /// Frees the thread of an attempt, for the user's next one or for another user's.
    private func runNext(after attempt: Attempt, of uid: UInt32) {
        running.all -= 1
        if !attempt.isReserved { running.unreserved -= 1 }
        if attempts[uid]?.first === attempt {
            attempts[uid]?.removeFirst()
            if let next = attempts[uid]?.first { beginWhenPossible(next, uid) } else { attempts[uid] = nil }
        }
        beginWaiting()
    }

    /// Fails an overdue attempt. A running one keeps its thread and its place: its user does not get a second thread.
    private func giveUp(_ attempt: Attempt, of uid: UInt32) {
        // If the loop was held up, the deadline may be due before the result that waits behind it.
        guard !attempt.hasReturned.withLockedValue({ $0 }) else { return }
        if attempt.hasBegun { standing.noteDelay(of: uid, at: loop.now.uptimeNanoseconds) }
        attempt.fail(.overdue(hasBegun: attempt.hasBegun))
        switch deadline {
        case .fromStart:
            let others = attempts[uid]?.dropFirst() ?? []
            attempts[uid] = attempt.hasBegun ? [attempt] : nil
            if !attempt.hasBegun { removeWaiting(uid) }
            for other in others { other.fail(.overdue(hasBegun: false)) }
        case .fromSubmission: if !attempt.hasBegun { remove(attempt, of: uid) }
        }
    }

    private func withdraw(_ attempt: Attempt, of uid: UInt32) {
        guard !attempt.isFinished, !attempt.hasBegun else { return }
        remove(attempt, of: uid)
        attempt.fail(.stopped(hasBegun: false))
    }

    private func remove(_ attempt: Attempt, of uid: UInt32) {
        guard let index = attempts[uid]?.firstIndex(where: { $0 === attempt }) else { return }
        let wasFirst = attempts[uid]?.first === attempt
        attempts[uid]?.remove(at: index)
        guard let first = attempts[uid]?.first else {
            attempts[uid] = nil
            return removeWaiting(uid)
        }
        // It waits for a thread in place of the removed one.
        if wasFirst { setDeadlineFromStart(of: first, uid) }
    }

    private func removeWaiting(_ uid: UInt32) {
        waiting.reserved.removeAll { $0 == uid }
        waiting.unreserved.removeAll { $0 == uid }
    }
}

/// An attempt to do a job. It ends once, with a result or with a failure.
private final class Attempt {
    /// Starts the attempt on a thread. `nil` once the attempt has begun or ended.
    var start: (() -> Void)?
    var hasBegun = false
    /// A Boolean value indicating whether the attempt may use a reserved thread. Valid once it has begun.
    var isReserved = false
    let deadline: LoopTimer
    private(set) var isFinished = false
    /// A Boolean value indicating whether the thread is done and the result is on its way to the loop.
    let hasReturned = NIOLockedValueBox(false)
    private let onFailure: (BlockingWork.Failure) -> Void

    init(on loop: any EventLoop, onFailure: @escaping (BlockingWork.Failure) -> Void) {
        deadline = LoopTimer(on: loop)
        self.onFailure = onFailure
    }

    /// Ends the attempt. Returns whether it had not ended before.
    func finish() -> Bool {
        guard !isFinished else { return false }
        isFinished = true
        start = nil
        deadline.cancel()
        return true
    }

    func fail(_ failure: BlockingWork.Failure) {
        if finish() { onFailure(failure) }
    }
}
