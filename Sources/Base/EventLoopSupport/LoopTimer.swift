package import NIOCore

/// A timer on an event loop that never runs a body that was cancelled or replaced.
///
/// A `Scheduled` of NIO may run although it was cancelled: the loop removes all tasks that are due from its queue at
/// once, and one of them may be the one that cancels another. The cancelled task then finds a state that it was not
/// made for, such as a closed port. This timer does not run a cancelled body, whatever the loop does.
///
/// Confined to the event loop.
package final class LoopTimer {
    private let loop: any EventLoop
    private var scheduled: Scheduled<Void>?
    /// The number of the current setting; it changes with each call of `set` and `cancel`.
    private var generation: UInt64 = 0

    private var due: NIODeadline?

    /// Creates a timer that is not set.
    package init(on loop: any EventLoop) {
        self.loop = loop
    }

    /// The time when the timer fires, or `nil` if it is not set.
    package var deadline: NIODeadline? { due }

    /// A Boolean value indicating whether the timer is set.
    package var isSet: Bool { due != nil }

    /// Sets the timer to run `body` at `deadline`, in place of any previous body. It is no longer set when `body` runs.
    package func set(at deadline: NIODeadline, _ body: @escaping () -> Void) {
        cancel()
        due = deadline
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
        due = nil
        scheduled?.cancel()
        scheduled = nil
    }
}
