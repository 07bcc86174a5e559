internal import Glibc

/// A thread that ends with what it runs.
///
/// A thread pool of NIO's ends through Dispatch, and from Dispatch's first thread on, a timer of its own wakes the
/// process each second (swift-corelibs-libdispatch, src/event/workqueue.c). So a pool is for threads that are there
/// until the end of the process.
package enum DetachedThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread.
    ///
    /// Throws the error of pthread_create(3): there are too many threads.
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
