package import NIOPosix

/// Threads that run one job each, and are started when no other one is free.
///
/// One `NIOThreadPool` for all jobs would start its maximum at the first one, and an idle daemon would keep all of them.
package struct SpareThreads {
    /// The threads that were started and are free. Each is a pool of one.
    private var free: [NIOThreadPool] = []
    /// A Boolean value indicating whether a thread has been started.
    package private(set) var hasStarted = false

    package init() {}

    /// Returns a free thread, or a new one. Its job ends by putting it back.
    package mutating func borrow() -> NIOThreadPool {
        if let thread = free.popLast() { return thread }
        hasStarted = true
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        return thread
    }

    /// Frees a borrowed thread. The next job waits for it if its last one has not returned.
    package mutating func putBack(_ thread: NIOThreadPool) { free.append(thread) }

    /// Ends the free threads.
    package mutating func end() {
        for thread in free { thread.shutdownGracefully { _ in } }
        free = []
    }
}
