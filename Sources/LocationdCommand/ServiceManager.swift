internal import CSystemd
internal import Glibc
internal import NIOCore

/// Tells systemd how the daemon is doing: sd_notify(3). Tells nobody where NOTIFY_SOCKET is not set.
enum ServiceManager {
    /// The sockets are open.
    static func ready() { notify("READY=1\nSTATUS=Ready") }

    /// The configuration is being read again; ``ready()`` or ``kept(_:)`` ends that.
    static func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        notify(
            "RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)\nSTATUS=Reading the configuration"
        )
    }

    /// The former configuration goes on, because of an error in the new one.
    static func kept(_ error: String) {
        // A line break would begin another assignment.
        let line = error.split(whereSeparator: \.isNewline).joined(separator: " ")
        notify("READY=1\nSTATUS=The former configuration holds: \(line)")
    }

    /// The sockets are being closed.
    static func stopping() { notify("STOPPING=1\nSTATUS=Ending") }

    /// Has the event loop say that it is alive, twice in the time that the unit's WatchdogSec= gives it: a loop that
    /// hangs says nothing, and the daemon is started anew. Without a watchdog there is no timer.
    static func watch(_ loop: any EventLoop) {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return }
        let half = TimeAmount.microseconds(Int64(clamping: microseconds / 2))
        watch(loop, each: half) { notify("WATCHDOG=1") }
    }

    static func watch(_ loop: any EventLoop, each interval: TimeAmount, tell: @escaping @Sendable () -> Void) {
        loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in tell() }
    }

    private static func notify(_ state: String) { sd_notify(0, state) }
}
