package import NIOCore

/// Runs something at a time on an event loop, unless it is cancelled or set again before.
///
/// A `Scheduled` of NIO that is cancelled may run all the same: when its time has come, the loop takes it out of its queue
/// together with others, one of which may be what cancels it. What then runs finds a state that it was not made for, such
/// as that of a port that was closed. So nothing is run that was cancelled, whatever the loop does.
///
/// Confined to the event loop.
package final class LoopTimer {
    private let loop: any EventLoop
    private var scheduled: Scheduled<Void>?
    /// Which setting is the current one.
    private var generation: UInt64 = 0

    /// When it fires; `nil` if it is not set.
    package private(set) var deadline: NIODeadline?

    /// Makes a timer that is not set.
    package init(on loop: any EventLoop) {
        self.loop = loop
    }

    /// A Boolean value indicating whether it is going to fire.
    package var isSet: Bool { deadline != nil }

    /// Runs `body` at `deadline`, in place of what was set before. It is not set any more when `body` runs.
    package func set(at deadline: NIODeadline, _ body: @escaping () -> Void) {
        cancel()
        self.deadline = deadline
        let generation = generation
        scheduled = loop.assumeIsolated().scheduleTask(deadline: deadline) {
            guard self.generation == generation else { return }
            self.cancel()
            body()
        }
    }

    /// Runs `body` after `time`, in place of what was set before. It is not set any more when `body` runs.
    package func set(in time: TimeAmount, _ body: @escaping () -> Void) {
        set(at: loop.now + time, body)
    }

    /// Runs nothing.
    package func cancel() {
        generation &+= 1
        deadline = nil
        scheduled?.cancel()
        scheduled = nil
    }
}
