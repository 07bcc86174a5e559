import NIOCore
import NMEA

/// Tells when nothing has come for the decoder's quiet interval. Restarting it costs no scheduling: a task that fires too
/// early sets itself anew for the time that is left.
final class QuietTimer {
    private let eventLoop: any EventLoop
    private let isQuiet: () -> Void
    private var deadline: NIODeadline?
    private var task: Scheduled<Void>?

    init(on eventLoop: any EventLoop, isQuiet: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.isQuiet = isQuiet
    }

    /// Something has come: the interval begins anew.
    func restart() {
        let deadline = eventLoop.now + .milliseconds(Int64(NMEADecoder.quietInterval))
        self.deadline = deadline
        if task == nil { schedule(deadline) }
    }

    /// It need not be told.
    func cancel() {
        task?.cancel()
        task = nil
        deadline = nil
    }

    private func schedule(_ deadline: NIODeadline) {
        task = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.fire() }
    }

    private func fire() {
        task = nil
        guard let deadline else { return }
        if eventLoop.now < deadline {
            schedule(deadline)
        } else {
            self.deadline = nil
            isQuiet()
        }
    }
}
