internal import LocationctlSupport
internal import NIOCore

/// The values of a feed on the event loop, from ``start()`` to ``stop()``. Confined to the event loop.
final class LoopFeed<Value: Sendable> {
    /// Handles an event. `nil` is the end of the feed, because the daemon refuses it.
    var onEvent: ((Feed<Value>.Event?) -> Void)?

    private let feed: Feed<Value>
    private let loop: any EventLoop
    private var task: Task<Void, Never>?
    /// The number of the current start. Events of earlier ones may still arrive, and do not count.
    private var number = 0

    init(_ feed: Feed<Value>, on loop: any EventLoop) {
        self.feed = feed
        self.loop = loop
    }

    func start() {
        stop()
        let (number, bound, loop, feed) = (number, NIOLoopBound(self, eventLoop: loop), loop, feed)
        task = Task {
            do {
                try await feed.run { event in loop.execute { bound.value.handle(event, of: number) } }
            } catch {
                loop.execute { bound.value.handle(nil, of: number) }
            }
        }
    }

    func stop() {
        task?.cancel()
        task = nil
        number += 1
    }

    private func handle(_ event: Feed<Value>.Event?, of number: Int) {
        if number == self.number { onEvent?(event) }
    }
}

extension EventLoop {
    /// Calls `body` in a task, and then `then` with its result on this event loop, which is the caller's.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value, _ then: @escaping (Value) -> Void
    ) {
        let bound = NIOLoopBound(then, eventLoop: self)
        Task {
            let value = await body()
            self.execute { bound.value(value) }
        }
    }
}
