internal import CSystemd
internal import Glibc
package import NIOCore

/// Notifications to systemd about the state of the service: sd_notify(3). Without NOTIFY_SOCKET nothing is sent.
package enum ServiceManager {
    /// Reports that the daemon is ready, with its sockets open.
    package static func ready() { notify("READY=1\nSTATUS=Ready") }

    /// Reports the state of the service in words, which `systemctl status` shows to everybody.
    package static func status(_ text: String) {
        // A line break would begin another assignment.
        notify("STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }

    /// Reports that the configuration is being read again. ``ready()`` or ``kept(_:)`` reports the end of that.
    package static func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        notify(
            "RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)\nSTATUS=Reading the configuration"
        )
    }

    /// Reports that the previous configuration stays in force, because of an error in the new one.
    package static func kept(_ error: String) {
        // A line break would begin another assignment.
        let line = error.split(whereSeparator: \.isNewline).joined(separator: " ")
        notify("READY=1\nSTATUS=The previous configuration stays in force: \(line)")
    }

    /// Reports that the daemon is closing its sockets.
    package static func stopping() { notify("STOPPING=1\nSTATUS=Stopping") }

    /// Makes the event loop report that it is alive, twice in the period of the unit's WatchdogSec=. A loop that
    /// hangs reports nothing, and systemd restarts the daemon. Without a watchdog no timer runs.
    package static func watch(_ loop: any EventLoop) {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return }
        let half = TimeAmount.microseconds(Int64(clamping: microseconds / 2))
        watch(loop, each: half) { notify("WATCHDOG=1") }
    }

    package static func watch(_ loop: any EventLoop, each interval: TimeAmount, tell: @escaping @Sendable () -> Void) {
        loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in tell() }
    }

    private static func notify(_ state: String) { sd_notify(0, state) }
}
