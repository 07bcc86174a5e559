internal import EventLoopSupport
internal import NIOCore
internal import NIOPosix

/// Runs what may block for as long as a user's file system likes: on threads of its own pool, of each user one at a time.
///
/// Confined to the event loop. Attack: a user mounts a file system that never answers, and has the daemon look inside of
/// it. Who hangs holds one thread and keeps nobody waiting but itself.
final class BlockingWork {
    /// Why something was not done.
    enum Failure: Error {
        /// It, or what it waited for, took too long. What had begun may be done nevertheless.
        case overdue(hasBegun: Bool)
        /// Too much of that user waits already.
        case tooMuchWaits
        /// It was withdrawn, or the service ends. What had begun may be done nevertheless.
        case stopped(hasBegun: Bool)
    }

    /// How long something may take, and what counts.
    enum Deadline {
        /// From when it was asked for: what waits has its own deadline.
        case sinceAsked(TimeAmount)
        /// From when it began. What waits behind something that is overdue fails with it, and so does what is asked for
        /// while that goes on.
        case sinceBegun(TimeAmount)
    }

    /// Something that was asked for.
    struct Request<Value: Sendable> {
        /// Fails with a ``Failure``.
        let result: EventLoopFuture<Value>
        /// Has it not be done, if it has not begun.
        let withdraw: () -> Void
    }

    private let loop: any EventLoop
    private let threadCount: Int
    private let maximumWaiting: Int
    private let deadline: Deadline
    /// Started at the first use: an idle daemon counts its memory. Not Dispatch's: see `Daemon`.
    private(set) var threads: NIOThreadPool?
    /// The attempts of each user that has any; the first one runs.
    private var attempts: [UInt32: CircularBuffer<Attempt>] = [:]
    private var isStopped = false

    /// - Parameters:
    ///   - threadCount: As many users have to hang at the same time before the others wait.
    ///   - maximumWaiting: How many attempts of one user may wait for the one that runs.
    init(on loop: any EventLoop, threadCount: Int, maximumWaiting: Int, deadline: Deadline) {
        self.loop = loop
        self.threadCount = threadCount
        self.maximumWaiting = maximumWaiting
        self.deadline = deadline
    }

    /// Runs `body` on a thread once nothing else of user `uid` runs.
    func run<Value: Sendable>(for uid: UInt32, _ body: @escaping @Sendable () -> Value) -> Request<Value> {
        guard !isStopped else { return failed(.stopped(hasBegun: false)) }
        if case .sinceBegun = deadline, attempts[uid]?.first?.isFinished == true {
            return failed(.overdue(hasBegun: false))
        }
        // Attack: an app asks again and again for something that hangs.
        let count = attempts[uid]?.count ?? 0
        guard count <= maximumWaiting else { return failed(.tooMuchWaits) }
        let promise = loop.makePromise(of: Value.self)
        let attempt = Attempt(on: loop) { failure in promise.fail(failure) }
        attempt.begin = {
            self.startedThreads().runIfActive(eventLoop: self.loop, body).assumeIsolated().whenComplete { result in
                let isInTime = attempt.finish()
                // Before anybody is told, who may ask again at once.
                self.runNext(after: attempt, of: uid)
                guard isInTime else { return }
                switch result {
                case .success(let value): promise.succeed(value)
                case .failure: promise.fail(Failure.stopped(hasBegun: false))
                }
            }
        }
        attempts[uid, default: []].append(attempt)
        if case .sinceAsked(let time) = deadline { setDeadline(of: attempt, time, uid) }
        if count == 0 { begin(attempt, uid) }
        return Request(result: promise.futureResult) { self.withdraw(attempt, of: uid) }
    }

    private func failed<Value: Sendable>(_ failure: Failure) -> Request<Value> {
        Request(result: loop.makeFailedFuture(failure)) {}
    }

    /// Fails what has not been done. What a thread is busy with goes on there, and nobody is told.
    func stop() {
        isStopped = true
        for queue in attempts.values {
            for attempt in queue { attempt.fail(.stopped(hasBegun: attempt === queue.first)) }
        }
        attempts = [:]
        threads?.shutdownGracefully { _ in }
        threads = nil
    }

    private func begin(_ attempt: Attempt, _ uid: UInt32) {
        if case .sinceBegun(let time) = deadline { setDeadline(of: attempt, time, uid) }
        let begin = attempt.begin
        attempt.begin = nil
        begin?()
    }

    private func setDeadline(of attempt: Attempt, _ time: TimeAmount, _ uid: UInt32) {
        attempt.deadline.set(in: time) { self.giveUp(attempt, of: uid) }
    }

    private func runNext(after attempt: Attempt, of uid: UInt32) {
        guard attempts[uid]?.first === attempt else { return }
        attempts[uid]?.removeFirst()
        if let next = attempts[uid]?.first { begin(next, uid) } else { attempts[uid] = nil }
    }

    /// The one that runs keeps its thread and its place, so that its user gets no second thread.
    private func giveUp(_ attempt: Attempt, of uid: UInt32) {
        let hasBegun = attempts[uid]?.first === attempt
        attempt.fail(.overdue(hasBegun: hasBegun))
        switch deadline {
        case .sinceBegun:
            let waiting = attempts[uid]?.dropFirst() ?? []
            attempts[uid] = [attempt]
            for other in waiting { other.fail(.overdue(hasBegun: false)) }
        case .sinceAsked: if !hasBegun { remove(attempt, of: uid) }
        }
    }

    private func withdraw(_ attempt: Attempt, of uid: UInt32) {
        guard !attempt.isFinished, attempts[uid]?.first !== attempt else { return }
        remove(attempt, of: uid)
        attempt.fail(.stopped(hasBegun: false))
    }

    private func remove(_ attempt: Attempt, of uid: UInt32) {
        guard let index = attempts[uid]?.firstIndex(where: { $0 === attempt }) else { return }
        attempts[uid]?.remove(at: index)
    }

    private func startedThreads() -> NIOThreadPool {
        if let threads { return threads }
        let threads = NIOThreadPool(numberOfThreads: threadCount)
        threads.start()
        self.threads = threads
        return threads
    }
}

/// One try, which ends once: by the thread or by the deadline.
private final class Attempt {
    /// Starts it; taken when it begins, or ends before.
    var begin: (() -> Void)?
    let deadline: LoopTimer
    private(set) var isFinished = false
    private let onFailure: (BlockingWork.Failure) -> Void

    init(on loop: any EventLoop, onFailure: @escaping (BlockingWork.Failure) -> Void) {
        deadline = LoopTimer(on: loop)
        self.onFailure = onFailure
    }

    /// Returns whether it had not ended before.
    func finish() -> Bool {
        guard !isFinished else { return false }
        isFinished = true
        begin = nil
        deadline.cancel()
        return true
    }

    func fail(_ failure: BlockingWork.Failure) {
        if finish() { onFailure(failure) }
    }
}
