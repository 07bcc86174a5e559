internal import CLinux
internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Watches the processes behind connections, without a wake-up of its own: a thread sleeps until one has ended.
///
/// Attack: an app passes its connected socket to another process, or leaves it to a child, and ends; the other would go
/// on reading under the app's name. So the pidfds of all peers sit in one epoll set that is asked, in one system call
/// however many there are, before anything is delivered: the connections of processes that have ended are closed first.
/// Nor does what was granted for as long as an app is there wait for the next delivery: the end of a process is told.
final class PeerWatch {
    /// Told on the loop when a process may have ended.
    var onEnded: (() -> Void)?

    private let epoll: CInt
    private let loop: any EventLoop
    /// Started with the first process. Not Dispatch's: see `Daemon`.
    private var thread: NIOThreadPool?
    /// The ends of a pipe. The reading one is in the set too: closing the other one wakes the thread, to end.
    private let reading: CInt
    private var writing: CInt

    /// Throws where the kernel gives no epoll instance.
    init(on loop: any EventLoop) throws(Failure) {
        self.loop = loop
        let created = process_set_create()
        guard created >= 0 else { throw Failure(errno: -created) }
        epoll = created
        var ends: [CInt] = [-1, -1]
        let status = pipe(&ends)
        (reading, writing) = (ends[0], ends[1])
        guard status == 0 else { throw Failure(errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let failure = process_set_add(epoll, reading, .max)
        guard failure == 0 else { throw Failure(errno: failure) }
    }

    deinit {
        closeWriting()
        close(reading)
        close(epoll)
    }

    /// Watches no more. To be called before the loop ends.
    func stop() {
        onEnded = nil
        closeWriting()
        thread?.shutdownGracefully { _ in }
        thread = nil
    }

    private func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    private func wait() {
        let thread = thread ?? NIOThreadPool(numberOfThreads: 1)
        if self.thread == nil { thread.start() }
        self.thread = thread
        thread.runIfActive(eventLoop: loop) { [epoll] in process_set_wait(epoll) }.assumeIsolated().whenSuccess { _ in
            guard self.thread != nil else { return }
            self.onEnded?()
            self.wait()
        }
    }

    /// A system call that failed.
    struct Failure: Error {
        let errno: CInt
    }

    /// Watches the process of `pidfd`, which is known as `id` from now on. It is forgotten when the pidfd is closed.
    func add(pidfd: CInt, id: UInt64) throws(Failure) {
        let failure = process_set_add(epoll, pidfd, id)
        guard failure == 0 else { throw Failure(errno: failure) }
        if thread == nil { wait() }
    }

    /// The processes that have ended since the last call, each told once.
    func reap() -> [UInt64] {
        var ended: [UInt64] = []
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { ids in
            var count = 0
            repeat {
                count = Int(process_set_ended(epoll, ids.baseAddress!, 64))
                ended += ids.prefix(count)
            } while count == 64
        }
        return ended
    }
}
