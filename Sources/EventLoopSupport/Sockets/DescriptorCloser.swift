internal import CLinux
internal import Dispatch
internal import Linux
internal import NIOConcurrencyHelpers

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

    private struct State {
        /// The descriptors with which no thread has begun.
        var waiting: [CInt] = []
        /// The number of descriptors with which a thread has begun.
        var closing = 0
        /// The number of threads. They are started with the first descriptor.
        var threads = 0
        var isStopped = false
    }

    private let state = NIOLockedValueBox(State())
    /// Signalled for each descriptor, and to end each thread. A semaphore alone starts no thread of Dispatch's.
    private let work = DispatchSemaphore(value: 0)

    package init() {}

    deinit { stop() }

    /// A Boolean value indicating whether so many descriptors wait that no connection should be accepted.
    package var isBusy: Bool { state.withLockedValue { $0.waiting.count + $0.closing >= Self.maximumWaiting } }

    /// Closes a descriptor, soon.
    package func close(_ descriptor: CInt) {
        let isStopped = state.withLockedValue { state in
            guard !state.isStopped else { return true }
            state.waiting.append(descriptor)
            // If there are too many threads in the system, those that are there do it, or the next call tries again.
            while state.threads < Self.threadCount, (try? startThread()) != nil { state.threads += 1 }
            return false
        }
        if isStopped { descriptor_close(descriptor) } else { work.signal() }
    }

    /// Ends the threads once they have closed what waits. What comes later is closed at once, by the caller's thread.
    package func stop() {
        let threads = state.withLockedValue { state in
            state.isStopped = true
            defer { state.threads = 0 }
            return state.threads
        }
        for _ in 0..<threads { work.signal() }
    }

    private func startThread() throws(SystemCallError) {
        try DetachedThread.start { [state, work] in
            while true {
                work.wait()
                let next = state.withLockedValue { state -> CInt? in
                    guard !state.waiting.isEmpty else { return nil }
                    state.closing += 1
                    return state.waiting.removeFirst()
                }
                guard let next else { return }
                descriptor_close(next)
                state.withLockedValue { $0.closing -= 1 }
            }
        }
    }
}
