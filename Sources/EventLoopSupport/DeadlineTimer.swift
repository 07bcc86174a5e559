package import NIOCore

/// Runs something at a deadline that moves later with everything that is received.
///
/// Moving it later costs no scheduling: a timer that fires too early sets itself again. Confined to the event loop.
package final class DeadlineTimer {
    private let loop: any EventLoop
    private let timer: LoopTimer
    private var deadline: NIODeadline?

    /// Makes a timer that is not set.
    package init(on loop: any EventLoop) {
        self.loop = loop
        timer = LoopTimer(on: loop)
    }

    /// Runs `body` once, at `deadline`; with `nil`, nothing. Takes the place of what was set before, of which `body` may be
    /// kept.
    package func set(_ deadline: NIODeadline?, _ body: @escaping () -> Void) {
        self.deadline = deadline
        guard let deadline else { return timer.cancel() }
        if let earlier = timer.deadline, earlier <= deadline { return }
        timer.set(at: deadline) { self.fire(body) }
    }

    /// Runs nothing.
    package func cancel() { set(nil) {} }

    private func fire(_ body: @escaping () -> Void) {
        guard let deadline else { return }
        if loop.now < deadline { return set(deadline, body) }
        self.deadline = nil
        body()
    }
}
