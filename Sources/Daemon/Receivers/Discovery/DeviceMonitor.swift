internal import CUdev
internal import EventLoopSupport
internal import Glibc
internal import Linux

/// Watches for serial ports and GNSS nodes that appear, disappear or change, after udev's rules have run on them.
/// Confined to the event loop.
final class DeviceMonitor {
    private let monitor: OpaquePointer
    private let watch: DescriptorWatch

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - onChange: Called on the loop when something may have changed.
    ///   - onFailure: Called on the loop when watching ended without a call of `stop()`, in particular by `ENOBUFS`:
    ///     there were so many events that messages were lost.
    /// - Throws: `DeviceMonitorFailure` if udev's messages cannot be received.
    init(
        poller: DescriptorPoller, onChange: @escaping () -> Void, onFailure: @escaping () -> Void
    ) throws(DeviceMonitorFailure) {
        let monitor = try Self.open()
        do throws(SystemCallError) {
            // If the buffer is smaller than a message, the message is truncated rather than refused.
            watch = try DescriptorWatch(
                udev_monitor_get_fd(monitor), capacity: 64, poller: poller, onRead: onChange, onFailure: onFailure)
        } catch {
            udev_monitor_unref(monitor)
            throw DeviceMonitorFailure(errno: error.errno)
        }
        self.monitor = monitor
    }

    deinit {
        watch.stop()
        udev_monitor_unref(monitor)
    }

    /// Stops watching. Neither handler is called afterwards.
    func stop() { watch.stop() }

    /// Opens a monitor for udev's messages about the two subsystems.
    private static func open() throws(DeviceMonitorFailure) -> OpaquePointer {
        guard let udev = udev_new() else { throw DeviceMonitorFailure(errno: errno) }
        defer { udev_unref(udev) }
        guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
            throw DeviceMonitorFailure(errno: errno)
        }
        // The kernel applies these filters once receiving is enabled.
        for subsystem in ["tty", "gnss"] {
            udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
        }
        let status = udev_monitor_enable_receiving(monitor)
        if status >= 0 { return monitor }
        udev_monitor_unref(monitor)
        throw DeviceMonitorFailure(errno: -status)
    }
}

/// The reason why udev's messages cannot be received.
struct DeviceMonitorFailure: Error, CustomStringConvertible {
    let errno: CInt

    var description: String { String(cString: strerror(errno)) }
}
