internal import NIOCore
internal import NIOPosix

/// The thread that waits for the disk in place of the event loop.
final class QueueThread: Sendable {
    private let store: QueueStore
    private let loop: any EventLoop
    private let thread = NIOThreadPool(numberOfThreads: 1)

    init(_ store: QueueStore, on loop: any EventLoop) {
        self.store = store
        self.loop = loop
        thread.start()
    }

    /// Runs `body` after all earlier work. The results arrive on the loop in the same order.
    func run<Value: Sendable>(_ body: @escaping @Sendable (QueueStore) throws -> Value) -> EventLoopFuture<Value> {
        thread.runIfActive(eventLoop: loop) { [store] in try body(store) }
    }

    /// Ends the thread once it has done the submitted work.
    func stop() -> EventLoopFuture<Void> {
        let done = run { _ in }
        done.whenComplete { _ in self.thread.shutdownGracefully { _ in } }
        return done
    }
}
