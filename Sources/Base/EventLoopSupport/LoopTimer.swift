package import NIOCore

/// A timer on an event loop. It never runs a body that was cancelled or replaced.
///
/// A `Scheduled` of NIO may run although it was cancelled: the loop removes all due tasks from its queue at once, and
/// one of them may cancel another. The cancelled task then runs in a state that it does not expect, such as with a
/// closed port. This timer does not run a cancelled body, whatever the loop does.
///
/// Confined to the event loop.
package final class LoopTimer {
    private let loop: any EventLoop
    /// The same loop, if it is ours: its timers need no future.
    private let pollingLoop: PollingLoop?
    private var timer: TimerQueue.Entry?
    private var scheduled: Scheduled<Void>?
    /// The number of the current setting. It changes with each call of `set` and `cancel`.
    private var generation: UInt64 = 0

    private var _deadline: NIODeadline?

    /// Creates a timer that is not set.
    package init(on loop: any EventLoop) {
        self.loop = loop
        pollingLoop = loop as? PollingLoop
    }

    /// The time when the timer fires, or `nil` if it is not set.
    package var deadline: NIODeadline? { _deadline }

    /// A Boolean value indicating whether the timer is set.
    package var isSet: Bool { _deadline != nil }

    /// Sets the timer to run `body` at `deadline`, in place of any previous body. It is no longer set when `body` runs.
    package func set(at deadline: NIODeadline, _ body: @escaping () -> Void) {
        cancel()
        _deadline = deadline
        if let pollingLoop {
            timer = pollingLoop.setTimer(at: deadline) {
                self.timer = nil
                self._deadline = nil
                body()
            }
            return
        }
        let generation = generation
        scheduled = loop.assumeIsolated().scheduleTask(deadline: deadline) {
            guard self.generation == generation else { return }
            self.cancel()
            body()
        }
    }

    /// Sets the timer to run `body` after `time`, in place of any previous body. It is no longer set when `body` runs.
    package func set(in time: TimeAmount, _ body: @escaping () -> Void) {
        set(at: loop.now + time, body)
    }

    /// Cancels the timer.
    package func cancel() {
        generation &+= 1
        _deadline = nil
        if let timer { pollingLoop?.cancel(timer) }
        timer = nil
        scheduled?.cancel()
        scheduled = nil
    }
}
