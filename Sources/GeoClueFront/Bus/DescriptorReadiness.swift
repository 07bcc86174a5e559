internal import CSystemd
internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Reports on the event loop that a descriptor is ready, without reading it: libsystemd reads its bus itself.
///
/// The loop offers this to its own channels only. So a thread sleeps until the descriptor is ready. Confined to the
/// event loop, but for that.
final class DescriptorReadiness {
    /// The error of a system call that failed.
    struct Failure: Error {
        let errno: CInt
    }

    private let epoll: CInt
    private let loop: any EventLoop
    private let onReady: () -> Void
    /// Started with the first wait. Not Dispatch's, whose threads wake up without reason.
    private var thread: NIOThreadPool?
    private var isStopped = false
    /// The ends of a pipe. Closing the writing end wakes the thread, which then ends.
    private var ends: [CInt] = [-1, -1]

    /// - Parameter onReady: Called on the loop when the descriptor is ready. It is to end with another ``wait(for:events:)``.
    init(on loop: any EventLoop, onReady: @escaping () -> Void) throws(Failure) {
        self.loop = loop
        self.onReady = onReady
        epoll = csystemd_poll_create()
        guard epoll >= 0 else { throw Failure(errno: -epoll) }
        guard pipe(&ends) == 0 else { throw Failure(errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let status = csystemd_poll_arm(epoll, ends[0], POLLIN)
        guard status >= 0 else { throw Failure(errno: -status) }
    }

    deinit {
        closeWriting()
        if ends[0] >= 0 { close(ends[0]) }
        if epoll >= 0 { close(epoll) }
    }

    /// Waits for the events of poll(2), in place of those that were waited for.
    func wait(for descriptor: CInt, events: CInt) throws(Failure) {
        let status = csystemd_poll_arm(epoll, descriptor, events)
        guard status >= 0 else { throw Failure(errno: -status) }
        guard thread == nil, !isStopped else { return }
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        self.thread = thread
        waitOnThread()
    }

    /// Reports nothing any more. To be called before the loop ends.
    func stop() {
        isStopped = true
        closeWriting()
        thread?.shutdownGracefully { _ in }
        thread = nil
    }

    private func waitOnThread() {
        thread?.runIfActive(eventLoop: loop) { [epoll] in csystemd_poll_wait(epoll) }.assumeIsolated().whenSuccess {
            guard !self.isStopped else { return }
            self.onReady()
            self.waitOnThread()
        }
    }

    private func closeWriting() {
        if ends[1] >= 0 { close(ends[1]) }
        ends[1] = -1
    }
}
