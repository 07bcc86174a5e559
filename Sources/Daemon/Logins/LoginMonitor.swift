internal import CSystemd
package import EventLoopSupport
internal import Glibc
internal import Linux
package import NIOCore
package import PeerIdentity

/// Reports changes of logins to its closures.
package protocol LoginMonitoring: AnyObject {
    /// Closes the monitor. Nothing is reported afterwards.
    func stop()
}

/// Reports changes of login sessions, users and seats: sd_login_monitor(3), read by the event loop without polling.
///
/// Confined to the event loop.
package final class LoginMonitor: LoginMonitoring {
    private let monitor: OpaquePointer
    private var watch: DescriptorWatch?
    private var onRead: (() -> Void)?
    private let timeout: LoopTimer

    /// - Parameters:
    ///   - onChange: Called on the loop when something may have changed.
    ///   - onFailure: Called on the loop when no more changes will be reported, although `stop()` was not called.
    ///
    /// - Throws: A failure with ENOENT if the files that logind keeps do not exist.
    package init(
        poller: DescriptorPoller, on loop: any EventLoop, onChange: @escaping () -> Void,
        onFailure: @escaping () -> Void
    ) throws(Login.Failure) {
        var monitor: OpaquePointer?
        // Every category: logind writes a session's file before its user's, and both count.
        let status = sd_login_monitor_new(nil, &monitor)
        guard status >= 0, let monitor else { throw Login.Failure(errno: -status) }
        timeout = LoopTimer(on: loop)
        self.monitor = monitor
        onRead = { [unowned self] in
            sd_login_monitor_flush(monitor)
            scheduleTimeout()
            onChange()
        }
        do throws(SystemCallError) {
            // Attack: a container with a long name. inotify(7) fails with EINVAL if the buffer has no room for the
            // next event, whose name may have 255 bytes.
            watch = try DescriptorWatch(
                sd_login_monitor_get_fd(monitor), capacity: 1024, poller: poller,
                onRead: { [unowned self] in onRead?() }, onFailure: onFailure)
        } catch {
            throw Login.Failure(errno: error.errno)
        }
        scheduleTimeout()
    }

    deinit {
        watch?.stop()
        sd_login_monitor_unref(monitor)
    }

    package func stop() {
        timeout.cancel()
        onRead = nil
        watch?.stop()
    }

    /// Sets the timer for when the monitor wants a call without anything to read. Today's libsystemd never does.
    private func scheduleTimeout() {
        timeout.cancel()
        var microseconds = UInt64.max
        guard sd_login_monitor_get_timeout(monitor, &microseconds) >= 0, microseconds != .max else { return }
        let deadline = NIODeadline.uptimeNanoseconds(min(microseconds, .max / 2000) * 1000)
        timeout.set(at: deadline) { [weak self] in self?.onRead?() }
    }
}

extension Login.Failure {
    /// The administrator's remedy for a monitor that cannot be made, or `nil` if there is none: inotify_init(2),
    /// inotify_add_watch(2).
    var monitorRemedy: String? {
        switch errno {
        case EMFILE: "raise fs.inotify.max_user_instances with sysctl(8), or LimitNOFILE= in locationd.service"
        case ENFILE: "raise fs.file-max with sysctl(8)"
        case ENOSPC: "raise fs.inotify.max_user_watches with sysctl(8)"
        default: nil
        }
    }
}
