package import NIOCore

/// A timer for attempts that are repeated until one succeeds. The delay grows after each failure. Confined to the event
/// loop.
package final class Retry {
    private let timer: LoopTimer
    private var backoff: Backoff

    /// Creates a timer that is not set, with the delays of `backoff`.
    package init(_ backoff: Backoff, on loop: any EventLoop) {
        timer = LoopTimer(on: loop)
        self.backoff = backoff
    }

    /// A Boolean value indicating whether an attempt is scheduled.
    package var isScheduled: Bool { timer.isSet }

    /// Runs `body` after the next delay, in place of any previous body.
    package func schedule(_ body: @escaping () -> Void) {
        timer.set(in: .clamping(seconds: backoff.next()), body)
    }

    /// Goes back to the shortest delay, once an attempt has succeeded.
    package func succeeded() { backoff.reset() }

    /// Cancels the scheduled attempt. The next delay is not reset.
    package func cancel() { timer.cancel() }
}
