internal import NIOCore
internal import NIOPosix
internal import PeerIdentity

/// Starts apps that are not connected: writes to the Unix socket that the app's service manager listens on.
///
/// Confined to the event loop. Attack: a user mounts a file system that never answers and gives a path inside of it. So
/// every attempt runs on a thread of its own pool, and of each user one at a time: who hangs holds one thread and keeps
/// nobody waiting but itself.
final class Waker {
    /// Does the blocking part; with no line it only checks.
    typealias Action = @Sendable (_ path: String, _ uid: UInt32, _ line: [UInt8]?) throws(WakeRefusal) -> Void

    /// As many users have to hang at the same time before the others wait.
    static let threadCount = 4
    /// How many attempts of one user may wait for the one that runs.
    static let maximumWaiting = 64
    /// How long an attempt may take, its waiting included, before it counts as failed.
    static let patience = TimeAmount.seconds(10)

    private let loop: any EventLoop
    private let action: Action
    /// Started at the first use: most machines have no app that is woken, and an idle daemon counts its memory.
    /// Not Dispatch's: see `LocationService`.
    private(set) var threads: NIOThreadPool?
    /// The attempts of each user that has any; the first one runs.
    private var attempts: [UInt32: [Attempt]] = [:]
    private var isStopped = false

    /// - Parameter action: what blocks; only tests give another one.
    init(on loop: any EventLoop, action: @escaping Action = WakeSocket.attempt) {
        self.loop = loop
        self.action = action
    }

    /// Whether `path` may be written to for an app of user `uid`: succeeds, or fails with a WakeRefusal.
    ///
    /// Does not connect: that would start the app.
    func check(_ path: String, of uid: UInt32) -> EventLoopFuture<Void> {
        enqueue(path, uid, line: nil)
    }

    /// Connects and writes `line`, at most 8 KiB, which gets a newline.
    ///
    /// Succeeds when the kernel has taken all of it, whether it is read or not; fails with a WakeRefusal.
    func wake(_ path: String, of uid: UInt32, line: [UInt8]) -> EventLoopFuture<Void> {
        guard line.count <= WakeSocket.maximumLineLength else {
            return refuse("the event has more than \(WakeSocket.maximumLineLength) bytes: it is told on a stream only")
        }
        // Attack: an app gets text of its choice into an event, and with it an event that never was.
        guard !line.contains(UInt8(ascii: "\n")) else {
            return refuse("the event has more than one line: it is told on a stream only")
        }
        return enqueue(path, uid, line: line)
    }

    /// Fails what has not been done. What a thread is busy with goes on there, and nobody is told.
    func stop() {
        isStopped = true
        for queue in attempts.values {
            for attempt in queue { attempt.finish(.failure(refusal(of: attempt, isRunning: attempt === queue[0]))) }
        }
        attempts = [:]
        threads?.shutdownGracefully { _ in }
        threads = nil
    }

    private static let end = "the location service ends: try again when it runs"

    /// What becomes of an attempt when the service ends.
    private func refusal(of attempt: Attempt, isRunning: Bool) -> WakeRefusal {
        WakeRefusal(description: Self.end, mayHaveArrived: isRunning && attempt.line != nil)
    }

    private func refuse(_ description: String) -> EventLoopFuture<Void> {
        loop.makeFailedFuture(WakeRefusal(description: description))
    }

    private func enqueue(_ path: String, _ uid: UInt32, line: [UInt8]?) -> EventLoopFuture<Void> {
        guard !isStopped else { return refuse(Self.end) }
        let count = attempts[uid]?.count ?? 0
        // Attack: an app asks again and again for a path that hangs.
        guard count <= Self.maximumWaiting else {
            return refuse("\(Self.maximumWaiting) wakes of user \(uid) wait: look whether its file system hangs")
        }
        let attempt = Attempt(path: path, line: line, promise: loop.makePromise())
        attempts[uid, default: []].append(attempt)
        attempt.deadline = loop.assumeIsolated().scheduleTask(in: Self.patience) { self.giveUp(attempt, of: uid) }
        if count == 0 { run(attempt, of: uid) }
        return attempt.promise.futureResult
    }

    private func run(_ attempt: Attempt, of uid: UInt32) {
        let (path, line, action) = (attempt.path, attempt.line, action)
        startedThreads().runIfActive(eventLoop: loop) { () -> Result<Void, WakeRefusal> in
            do throws(WakeRefusal) { return .success(try action(path, uid, line)) } catch { return .failure(error) }
        }.assumeIsolated().whenComplete { result in
            attempt.finish((try? result.get()) ?? .failure(WakeRefusal(description: Self.end)))
            self.runNext(after: attempt, of: uid)
        }
    }

    private func runNext(after attempt: Attempt, of uid: UInt32) {
        guard var queue = attempts[uid], queue.first === attempt else { return }
        queue.removeFirst()
        attempts[uid] = queue.isEmpty ? nil : queue
        if let next = queue.first { run(next, of: uid) }
    }

    /// The one that runs keeps its thread and its place, so that its user gets no second thread; its line may still arrive.
    private func giveUp(_ attempt: Attempt, of uid: UInt32) {
        let isRunning = attempts[uid]?.first === attempt
        attempt.finish(
            .failure(
                WakeRefusal(
                    description: "\(attempt.path) does not answer: look whether its file system hangs",
                    mayHaveArrived: isRunning && attempt.line != nil)))
        guard let waiting = attempts[uid]?.dropFirst().firstIndex(where: { $0 === attempt }) else { return }
        attempts[uid]?.remove(at: waiting)
    }

    private func startedThreads() -> NIOThreadPool {
        if let threads { return threads }
        let threads = NIOThreadPool(numberOfThreads: Self.threadCount)
        threads.start()
        self.threads = threads
        return threads
    }
}

/// One try, whose promise is kept once: by the thread or by the deadline.
private final class Attempt {
    let path: String
    let line: [UInt8]?
    let promise: EventLoopPromise<Void>
    var deadline: Scheduled<Void>?
    private var isFinished = false

    init(path: String, line: [UInt8]?, promise: EventLoopPromise<Void>) {
        self.path = path
        self.line = line
        self.promise = promise
    }

    func finish(_ result: Result<Void, WakeRefusal>) {
        guard !isFinished else { return }
        isFinished = true
        deadline?.cancel()
        switch result {
        case .success: promise.succeed()
        case .failure(let refusal): promise.fail(refusal)
        }
    }
}
