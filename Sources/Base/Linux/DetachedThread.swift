internal import Glibc

/// A thread that ends when its function returns.
///
/// Ending a NIO thread pool needs Dispatch, and once Dispatch has started a thread, one of its timers wakes the process
/// every second (swift-corelibs-libdispatch, src/event/workqueue.c). So pools are only for threads that last until the
/// process ends.
package enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread.
    ///
    /// - Throws: The error of pthread_create(3) if there are too many threads.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, &attributes,
            { work in
                if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard status == 0 else {
            work.release()
            throw SystemCallError("pthread_create", status)
        }
    }
}
