package import NIOCore

/// A timer whose deadline moves later whenever something is received.
///
/// Moving the deadline does not schedule anything: a timer that fires too early sets itself again. Confined to the
/// event loop.
package final class DeadlineTimer {
    private let loop: any EventLoop
    private let timer: LoopTimer
    private var deadline: NIODeadline?

    /// Creates a timer that is not set.
    package init(on loop: any EventLoop) {
        self.loop = loop
        timer = LoopTimer(on: loop)
    }

    /// Sets the timer to run `body` once at `deadline`, or cancels it if `deadline` is `nil`. Replaces the previous
    /// deadline. The previous `body` may be kept and run instead of the new one.
    package func set(_ deadline: NIODeadline?, _ body: @escaping () -> Void) {
        self.deadline = deadline
        guard let deadline else { return timer.cancel() }
        if let earlier = timer.deadline, earlier <= deadline { return }
        timer.set(at: deadline) { self.fire(body) }
    }

    /// Cancels the timer.
    package func cancel() {
        guard deadline != nil else { return }
        deadline = nil
        timer.cancel()
    }

    private func fire(_ body: @escaping () -> Void) {
        guard let deadline else { return }
        if loop.now < deadline { return set(deadline, body) }
        self.deadline = nil
        body()
    }
}
