internal import CLinux
internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Watches the processes behind connections without periodic wake-ups: a thread sleeps until one of them has ended.
///
/// Attack: an app passes its connected socket to another process, or leaves it to a child, and ends. The other
/// process would go on reading under the app's name. So the pidfds of all peers are in one epoll set, which is
/// queried before anything is delivered, with one system call for all of them. Connections of processes that have
/// ended are closed first. Grants that end with the app do not wait for the next delivery either: the end of a
/// process is reported.
final class PeerWatch {
    /// Called on the loop when a process may have ended.
    var onEnded: (() -> Void)?

    private let epoll: CInt
    private let loop: any EventLoop
    /// Started with the first process. Not Dispatch's: see `Daemon`.
    private var thread: NIOThreadPool?
    /// The ends of a pipe. The reading end is in the set too: closing the writing end wakes the thread, which then
    /// ends.
    private let reading: CInt
    private var writing: CInt

    /// Creates a watch without processes. Throws if the kernel refuses an epoll instance or a pipe.
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

    /// Stops watching. To be called before the loop ends.
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

    /// The error for a system call that failed.
    struct Failure: Error {
        let errno: CInt
    }

    /// Watches the process of `pidfd` under the number `id`. The process is forgotten when the pidfd is closed.
    func add(pidfd: CInt, id: UInt64) throws(Failure) {
        let failure = process_set_add(epoll, pidfd, id)
        guard failure == 0 else { throw Failure(errno: failure) }
        if thread == nil { wait() }
    }

    /// Returns the processes that have ended since the last call, each of them once.
    func reap() -> [UInt64] {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { ids in
            var ended: [UInt64] = []
            var count = 0
            repeat {
                count = Int(process_set_ended(epoll, ids.baseAddress!, 64))
                if count > 0 { ended += ids.prefix(count) }
            } while count == 64
            return ended
        }
    }
}
