internal import CLinux
internal import NIOConcurrencyHelpers
internal import NIOPosix

/// Closes descriptors on threads of its own.
///
/// Attack: a peer sends a descriptor that is never received, such as a TCP socket that lingers (SO_LINGER). The kernel
/// closes it together with our end of the connection, or with a listening socket that has the connection in its
/// backlog, and this takes as long as the peer likes. Before Linux 6.8, closing any Unix socket may also close the
/// descriptors that other processes have sent around in circles. So the event loop's thread closes no Unix socket, and
/// a thread that does is interrupted as soon as the kernel waits (`descriptor_close`).
package final class DescriptorCloser: Sendable {
    /// The number of threads. Other descriptors wait only if as many files hang, each although the kernel is
    /// interrupted.
    private static let threadCount = 4
    /// The number of waiting descriptors at and above which no connection should be accepted.
    private static let maximumWaiting = 256
    /// The maximum number of descriptors that a thread closes in a row.
    ///
    /// Attack: connections are made and closed without end. Waking a thread and creating a timer for each of them would
    /// cost more than the connection itself.
    private static let closedInARow = 32

    /// The threads of all closers. They are kept: a pool of NIO's ends through Dispatch (see ``DetachedThread``).
    private static let threads = NIOLockedValueBox(SpareThreads())

    private let state = NIOLockedValueBox(State())

    private struct State {
        /// The descriptors that no thread has begun to close.
        var waiting: [CInt] = []
        /// The number of descriptors that threads are closing.
        var closing = 0
        /// The number of threads that are closing descriptors, or about to.
        var active = 0
        var isStopped = false
    }

    package init() {}

    deinit { stop() }

    /// A Boolean value indicating whether so many descriptors wait that no connection should be accepted.
    package var isBusy: Bool { state.withLockedValue { $0.waiting.count + $0.closing >= Self.maximumWaiting } }

    /// Closes a descriptor soon.
    package func close(_ descriptor: CInt) { close([descriptor]) }

    /// Closes descriptors soon. One thread is woken for all of them.
    package func close(_ descriptors: [CInt]) {
        guard !descriptors.isEmpty else { return }
        enum Course { case atOnce, byWorkingThread, byAnotherThread }
        let course: Course = state.withLockedValue { state in
            if state.isStopped { return .atOnce }
            state.waiting += descriptors
            guard state.active < Self.threadCount else { return .byWorkingThread }
            state.active += 1
            return .byAnotherThread
        }
        switch course {
        case .atOnce: descriptors_close_all(descriptors, descriptors.count)
        case .byWorkingThread: break
        case .byAnotherThread:
            let thread = Self.threads.withLockedValue { $0.borrow() }
            thread.submit { [state] _ in Self.closeWaiting(state, on: thread) }
        }
    }

    /// Closes descriptors until none is waiting.
    private static func closeWaiting(_ state: NIOLockedValueBox<State>, on thread: NIOThreadPool) {
        var closed = 0
        while true {
            let descriptors = state.withLockedValue { state in
                state.closing -= closed
                let descriptors = Array(state.waiting.prefix(closedInARow))
                state.waiting.removeFirst(descriptors.count)
                state.closing += descriptors.count
                if descriptors.isEmpty {
                    // Under the lock, and before this thread no longer counts: the next descriptor finds it free, and
                    // starts no other one.
                    threads.withLockedValue { $0.putBack(thread) }
                    state.active -= 1
                }
                return descriptors
            }
            guard !descriptors.isEmpty else { return }
            descriptors_close_all(descriptors, descriptors.count)
            closed = descriptors.count
        }
    }

    /// Descriptors that come later are closed at once, by the caller's thread.
    package func stop() { state.withLockedValue { $0.isStopped = true } }
}
