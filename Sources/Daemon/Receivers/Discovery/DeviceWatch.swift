public import Devices
package import EventLoopSupport
package import NIOCore

/// The serial ports and receivers that are plugged in, kept up to date through udev.
///
/// Confined to its event loop. It does nothing until something is plugged in or unplugged.
public final class DeviceWatch {
    /// The delay before listening again after udev's messages did not fit into the buffer. It doubles with each failure
    /// to listen, up to `maximumRestartDelay`.
    static let restartDelay = TimeAmount.seconds(1)
    static let maximumRestartDelay = TimeAmount.minutes(1)

    /// The delay before devices are enumerated again: the kernel announces a removal just before removing the device
    /// (device_del in Linux drivers/base/core.c), and an enumeration may run in between.
    static let secondEnumerationDelay = TimeAmount.milliseconds(300)

    /// The devices that are plugged in. Empty before `start()`.
    public private(set) var devices: [Device] = []

    private let poller: DescriptorPoller
    private let onChange: () -> Void
    private let onFailure: (String) -> Void
    private var monitor: DeviceMonitor?
    private let restart: LoopTimer
    private let secondEnumeration: LoopTimer
    private var nextDelay = restartDelay
    private var hasReportedFailure = false

    /// Creates a watch that has not enumerated any devices yet.
    ///
    /// - Parameters:
    ///   - onChange: Called when devices, their properties or their nodes have changed, and also after other reports of
    ///     udev: a device may have disappeared and come back in the meantime.
    ///   - onFailure: Called with the reason why changes of the devices are not noticed until listening succeeds again.
    ///     Called once, not for each attempt that fails.
    package init(
        poller: DescriptorPoller, on loop: any EventLoop, onChange: @escaping () -> Void,
        onFailure: @escaping (String) -> Void
    ) {
        self.poller = poller
        restart = LoopTimer(on: loop)
        secondEnumeration = LoopTimer(on: loop)
        self.onChange = onChange
        self.onFailure = onFailure
    }

    /// Enumerates the devices, and then watches them. Does not call `onChange` for devices already present.
    public func start() {
        // The monitor comes first, so that it reports any device that appears after the enumeration.
        if !listen() { scheduleRestart() }
        devices = Device.all()
    }

    /// Stops watching. Neither handler is called afterwards.
    public func stop() {
        restart.cancel()
        secondEnumeration.cancel()
        monitor?.stop()
        monitor = nil
    }

    /// Starts listening. Returns whether changes of the devices are noticed from now on.
    private func listen() -> Bool {
        do throws(DeviceMonitorFailure) {
            monitor = try DeviceMonitor(
                poller: poller, onChange: { [unowned self] in look() },
                onFailure: { [unowned self] in restartMonitor() })
            (nextDelay, hasReportedFailure) = (Self.restartDelay, false)
            return true
        } catch {
            if !hasReportedFailure { onFailure("\(error)") }
            hasReportedFailure = true
            return false
        }
    }

    private func look() {
        devices = Device.all()
        secondEnumeration.set(in: Self.secondEnumerationDelay) { self.enumerateAgain() }
        onChange()
    }

    private func enumerateAgain() {
        let before = devices
        devices = Device.all()
        if devices != before { onChange() }
    }

    private func restartMonitor() {
        monitor = nil
        scheduleRestart()
    }

    private func scheduleRestart() {
        restart.set(in: nextDelay) {
            guard self.listen() else { return self.scheduleRestart() }
            self.look()
        }
        nextDelay = min(nextDelay * 2, Self.maximumRestartDelay)
    }
}
