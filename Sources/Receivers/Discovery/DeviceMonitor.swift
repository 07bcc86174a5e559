internal import CUdev
internal import Glibc
internal import NIOCore

/// Hears of serial ports and GNSS nodes that come, go and change, after udev's rules have run: read by the event loop.
///
/// Confined to the event loop.
final class DeviceMonitor {
    private let monitor: OpaquePointer
    private let watch: DescriptorWatch

    /// - Parameters:
    ///   - onChange: told on the loop when something may have changed.
    ///   - onFailure: told on the loop when nothing will be heard any more, though `stop()` was not called: with
    ///     `ENOBUFS`, when so much has happened that some was lost.
    ///
    /// Throws where udev cannot be listened to.
    init(
        on loop: any EventLoop, onChange: @escaping () -> Void, onFailure: @escaping () -> Void
    ) throws(DeviceMonitorFailure) {
        let monitor = try Self.open()
        do throws(DescriptorWatch.Failure) {
            // A message is cut off, not refused, where the buffer is smaller.
            watch = try DescriptorWatch(
                udev_monitor_get_fd(monitor), capacity: 64, on: loop, onRead: onChange, onFailure: onFailure)
        } catch {
            udev_monitor_unref(monitor)
            throw DeviceMonitorFailure(errno: error.errno)
        }
        self.monitor = monitor
    }

    deinit { udev_monitor_unref(monitor) }

    /// Closes it. Nothing is told from now on.
    func stop() { watch.stop() }

    /// A monitor that gets udev's messages about the two subsystems.
    private static func open() throws(DeviceMonitorFailure) -> OpaquePointer {
        guard let udev = udev_new() else { throw DeviceMonitorFailure(errno: errno) }
        defer { udev_unref(udev) }
        guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
            throw DeviceMonitorFailure(errno: errno)
        }
        // The kernel filters by these, from enabling on.
        for subsystem in ["tty", "gnss"] {
            udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
        }
        let status = udev_monitor_enable_receiving(monitor)
        if status >= 0 { return monitor }
        udev_monitor_unref(monitor)
        throw DeviceMonitorFailure(errno: -status)
    }
}

/// Why udev cannot be listened to.
struct DeviceMonitorFailure: Error, CustomStringConvertible {
    let errno: CInt

    var description: String { String(cString: strerror(errno)) }
}
