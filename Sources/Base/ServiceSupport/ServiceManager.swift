internal import CSystemd
internal import Glibc
package import NIOCore

/// Notifications to systemd about the state of the service: sd_notify(3). They have no effect without NOTIFY_SOCKET.
package enum ServiceManager {
    /// Reports that the service is ready, with its sockets open, and its state as a text.
    package static func ready(_ text: String = "Ready") { notify("READY=1\nSTATUS=" + line(text)) }

    /// Reports the state of the service as a text, which `systemctl status` shows to every user.
    package static func status(_ text: String) { notify("STATUS=" + line(text)) }

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
        notify("READY=1\nSTATUS=The previous configuration stays in force: \(line(error))")
    }

    /// Returns the text as a single line: a line break would begin another assignment.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Reports that the daemon is closing its sockets.
    package static func stopping() { notify("STOPPING=1\nSTATUS=Stopping") }

    /// Makes the event loop report twice in the period of the unit's WatchdogSec= that it is alive. A loop that hangs
    /// reports nothing, and systemd restarts the daemon. No timer runs without a watchdog.
    package static func watch(_ loop: any EventLoop) {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return }
        let half = TimeAmount.microseconds(Int64(clamping: microseconds / 2))
        watch(loop, each: half) { notify("WATCHDOG=1") }
    }

    package static func watch(
        _ loop: any EventLoop, each interval: TimeAmount, report: @escaping @Sendable () -> Void
    ) {
        loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in report() }
    }

    private static func notify(_ state: String) { sd_notify(0, state) }
}
