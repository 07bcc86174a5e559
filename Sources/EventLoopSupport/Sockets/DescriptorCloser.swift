internal import CLinux
internal import NIOConcurrencyHelpers
internal import NIOPosix

/// Closes descriptors on threads of its own.
///
/// Attack: a peer sends a descriptor that is not received, such as that of a TCP socket that lingers (SO_LINGER). The
/// kernel closes it together with our end of the connection, or with a listening socket whose backlog the connection
/// is in, and this waits as long as the peer likes. A kernel before Linux 6.8 may do so with any Unix socket that is
/// closed: the descriptors that other processes have sent around in circles are closed then, too. So the event loop's
/// thread closes no Unix socket; a thread that does is interrupted as soon as the kernel waits (`descriptor_close`).
package final class DescriptorCloser: Sendable {
    /// The number of threads, and so of files that have to hang although the kernel is interrupted before other
    /// descriptors wait.
    private static let threadCount = 4
    /// The number of waiting descriptors from which on nothing more should be accepted.
    private static let maximumWaiting = 64

    /// The threads of those that were stopped. They sleep; a pool ends through Dispatch: see ``DetachedThread``.
    fileprivate static let unused = NIOLockedValueBox<[NIOThreadPool]>([])

    private let state = NIOLockedValueBox(State())

    fileprivate struct State {
        /// The number of descriptors that are not closed yet.
        var waiting = 0
        /// Started with the first descriptor.
        var threads: NIOThreadPool?
        var isStopped = false
    }

    package init() {}

    deinit { stop() }

    /// A Boolean value indicating whether so many descriptors wait that no connection should be accepted.
    package var isBusy: Bool { state.withLockedValue { $0.waiting >= Self.maximumWaiting } }

    /// Closes a descriptor, soon.
    package func close(_ descriptor: CInt) {
        let threads = state.withLockedValue { state in
            state.waiting += 1
            return state.startedThreads(Self.threadCount)
        }
        let body: @Sendable () -> Void = { [state] in
            descriptor_close(descriptor)
            state.withLockedValue { $0.waiting -= 1 }
        }
        if let threads { threads.submit { _ in body() } } else { body() }
    }

    /// Leaves the threads to the next closer, once they have closed what waits. What comes later is closed at once, by
    /// the caller's thread.
    package func stop() {
        let threads = state.withLockedValue { state in
            state.isStopped = true
            defer { state.threads = nil }
            return state.threads
        }
        if let threads { Self.unused.withLockedValue { $0.append(threads) } }
    }
}

extension DescriptorCloser.State {
    fileprivate mutating func startedThreads(_ count: Int) -> NIOThreadPool? {
        if isStopped { return nil }
        if let threads { return threads }
        let unused = DescriptorCloser.unused.withLockedValue { $0.popLast() }
        let threads = unused ?? NIOThreadPool(numberOfThreads: count)
        if unused == nil { threads.start() }
        self.threads = threads
        return threads
    }
}
