import NIOCore

/// Fires at a deadline that moves later with everything that is received. Moving it costs no scheduling: a task that fires
/// too early sets itself anew.
final class LineTimer {
    private let eventLoop: any EventLoop
    private let fire: () -> Void
    private var deadline: NIODeadline?
    private var task: (scheduled: Scheduled<Void>, deadline: NIODeadline)?

    init(on eventLoop: any EventLoop, fire: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.fire = fire
    }

    /// Fires at `deadline` instead of the one before; with `nil` not at all.
    func set(_ deadline: NIODeadline?) {
        self.deadline = deadline
        if let task {
            if let deadline, task.deadline <= deadline { return }
            task.scheduled.cancel()
            self.task = nil
        }
        guard let deadline else { return }
        let scheduled = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.wake() }
        task = (scheduled, deadline)
    }

    private func wake() {
        task = nil
        guard let deadline else { return }
        if eventLoop.now < deadline {
            set(deadline)
        } else {
            self.deadline = nil
            fire()
        }
    }
}
