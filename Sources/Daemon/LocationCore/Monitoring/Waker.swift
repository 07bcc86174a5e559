internal import NIOCore
internal import PeerIdentity

/// Starts apps that are not connected, by writing to the Unix socket that the app's service manager listens on.
///
/// Confined to the event loop. A path may lead into a file system that never answers, hence ``BlockingWork``.
final class Waker {
    /// The blocking part. Without a line, it only checks the socket.
    typealias Action = @Sendable (_ path: String, _ uid: UInt32, _ line: [UInt8]?) throws(WakeRefusal) -> Void

    /// The number of users whose attempts have to hang at the same time before other users wait.
    static let threadCount = 4
    /// The number of attempts of one user that may wait behind the running one.
    static let maximumWaiting = 64
    /// The time after which an attempt counts as failed, including the time that it waits.
    static let timeout = TimeAmount.seconds(10)

    private let loop: any EventLoop
    private let action: Action
    private let work: BlockingWork

    /// - Parameters:
    ///   - timeout: The time after which an attempt counts as failed.
    ///   - action: The blocking part.
    init(
        on loop: any EventLoop, timeout: TimeAmount = Waker.timeout, action: @escaping Action = WakeSocket.attempt
    ) {
        self.loop = loop
        self.action = action
        work = BlockingWork(
            on: loop, threadCount: Self.threadCount, maximumWaiting: Self.maximumWaiting,
            deadline: .fromSubmission(timeout))
    }

    /// A Boolean value indicating whether any thread was started. Most machines have no app that is woken.
    var hasThreads: Bool { work.hasThreads }

    /// Checks whether `path` may be written to for an app of user `uid`. Fails with a `WakeRefusal` if not.
    ///
    /// Does not connect, because that would start the app.
    func check(_ path: String, of uid: UInt32) -> EventLoopFuture<Void> {
        enqueue(path, uid, line: nil)
    }

    /// Connects and writes `line`, at most 8 KiB, followed by a newline.
    ///
    /// Succeeds when the kernel has accepted all of it, whether it is read or not. Fails with a `WakeRefusal`.
    func wake(_ path: String, of uid: UInt32, line: [UInt8]) -> EventLoopFuture<Void> {
        guard line.count <= WakeSocket.maximumLineLength else {
            return refuse("the event has more than \(WakeSocket.maximumLineLength) bytes: it is sent on a stream only")
        }
        // Attack: an app gets text of its choice into an event, and with the text an event that never happened.
        guard !line.contains(UInt8(ascii: "\n")) else {
            return refuse("the event has more than one line: it is sent on a stream only")
        }
        return enqueue(path, uid, line: line)
    }

    /// Fails all unfinished attempts. An attempt running on a thread continues, and its result is dropped.
    func stop() { work.stop() }

    private func refuse(_ description: String) -> EventLoopFuture<Void> {
        loop.makeFailedFuture(WakeRefusal(description: description))
    }

    private func enqueue(_ path: String, _ uid: UInt32, line: [UInt8]?) -> EventLoopFuture<Void> {
        work.run(for: uid) { [action] () -> Result<Void, WakeRefusal> in
            do throws(WakeRefusal) { return .success(try action(path, uid, line)) } catch { return .failure(error) }
        }.result.flatMapThrowing { try $0.get() }.flatMapErrorThrowing { error in
            guard let failure = error as? BlockingWork.Failure else { throw error }
            throw WakeRefusal(failure, path, uid, writing: line != nil)
        }
    }
}

extension WakeRefusal {
    fileprivate init(_ failure: BlockingWork.Failure, _ path: String, _ uid: UInt32, writing: Bool) {
        let description =
            switch failure {
            case .overdue: "\(path) does not answer: check whether its file system hangs"
            case .queueFull:
                "\(Waker.maximumWaiting) wakes of user \(uid) wait: check whether its file system hangs"
            case .stopped: "the location service is stopping: try again after it restarts"
            }
        let hasBegun =
            switch failure {
            case .overdue(let hasBegun), .stopped(let hasBegun): hasBegun
            case .queueFull: false
            }
        self.init(description: description, mayHaveArrived: writing && hasBegun)
    }
}
