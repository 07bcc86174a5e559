internal import NIOCore
internal import PeerIdentity

/// Starts apps that are not connected: writes to the Unix socket that the app's service manager listens on.
///
/// Confined to the event loop. A path may lead into a file system that never answers: ``BlockingWork``.
final class Waker {
    /// Does the blocking part; with no line it only checks.
    typealias Action = @Sendable (_ path: String, _ uid: UInt32, _ line: [UInt8]?) throws(WakeRefusal) -> Void

    /// As many users have to hang at the same time before the others wait.
    static let threadCount = 4
    /// How many attempts of one user may wait for the one that runs.
    static let maximumWaiting = 64
    /// How long an attempt may take, its waiting included, before it counts as failed.
    static let timeout = TimeAmount.seconds(10)

    private let loop: any EventLoop
    private let action: Action
    private let work: BlockingWork

    /// - Parameter action: what blocks; only tests give another one.
    init(on loop: any EventLoop, action: @escaping Action = WakeSocket.attempt) {
        self.loop = loop
        self.action = action
        work = BlockingWork(
            on: loop, threadCount: Self.threadCount, maximumWaiting: Self.maximumWaiting,
            deadline: .sinceAsked(Self.timeout))
    }

    /// A Boolean value indicating whether any thread was started: most machines have no app that is woken.
    var hasThreads: Bool { work.threads != nil }

    /// Returns whether `path` may be written to for an app of user `uid`: succeeds, or fails with a WakeRefusal.
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
            case .overdue: "\(path) does not answer: look whether its file system hangs"
            case .tooMuchWaits:
                "\(Waker.maximumWaiting) wakes of user \(uid) wait: look whether its file system hangs"
            case .stopped: "the location service ends: try again when it runs"
            }
        let hasBegun =
            switch failure {
            case .overdue(let hasBegun), .stopped(let hasBegun): hasBegun
            case .tooMuchWaits: false
            }
        self.init(description: description, mayHaveArrived: writing && hasBegun)
    }
}
