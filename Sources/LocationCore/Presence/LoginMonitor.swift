internal import CSystemd
internal import EventLoopSupport
internal import Glibc
internal import NIOCore
internal import PeerIdentity
internal import Receivers

/// Hears of changes of sessions, users and seats: sd_login_monitor(3), read by the event loop, without polling.
///
/// Confined to the event loop.
final class LoginMonitor {
    private let monitor: OpaquePointer
    private var watch: DescriptorWatch?
    private var onRead: (() -> Void)?
    private let timeout: LoopTimer

    /// - Parameters:
    ///   - onChange: told on the loop when something may have changed.
    ///   - onFailure: told on the loop when nothing will be heard any more, though `stop()` was not called.
    ///
    /// Throws ENOENT where there are no such files, as logind keeps them.
    init(
        on loop: any EventLoop, onChange: @escaping () -> Void, onFailure: @escaping () -> Void
    ) throws(Login.Failure) {
        var monitor: OpaquePointer?
        // All of its kinds: logind writes a session's file before that of the user, and both count.
        let status = sd_login_monitor_new(nil, &monitor)
        guard status >= 0, let monitor else { throw Login.Failure(errno: -status) }
        timeout = LoopTimer(on: loop)
        self.monitor = monitor
        onRead = { [unowned self] in
            sd_login_monitor_flush(monitor)
            scheduleTimeout()
            onChange()
        }
        do throws(DescriptorWatch.Failure) {
            // Attack: a container with a long name. inotify(7) answers EINVAL when the buffer has no room for the next
            // event, whose name may have 255 bytes, and with that the loop ends the process.
            watch = try DescriptorWatch(
                sd_login_monitor_get_fd(monitor), capacity: 1024, on: loop, onRead: { [unowned self] in onRead?() },
                onFailure: onFailure)
        } catch {
            throw Login.Failure(errno: error.errno)
        }
        scheduleTimeout()
    }

    deinit { sd_login_monitor_unref(monitor) }

    /// Closes it. Nothing is told from now on.
    func stop() {
        timeout.cancel()
        onRead = nil
        watch?.stop()
    }

    /// When the monitor wants to be looked at without anything to read: never, says libsystemd as it is today.
    private func scheduleTimeout() {
        timeout.cancel()
        var microseconds = UInt64.max
        guard sd_login_monitor_get_timeout(monitor, &microseconds) >= 0, microseconds != .max else { return }
        let deadline = NIODeadline.uptimeNanoseconds(min(microseconds, .max / 2000) * 1000)
        timeout.set(at: deadline) { [weak self] in self?.onRead?() }
    }
}
