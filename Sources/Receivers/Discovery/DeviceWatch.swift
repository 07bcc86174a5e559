internal import EventLoopSupport
public import NIOCore

/// The serial ports and receivers that are plugged in, and what becomes of them, from udev.
///
/// Confined to its event loop. It does nothing while nothing is plugged in or out.
public final class DeviceWatch {
    /// After how long udev is listened to anew when it had more to say than there was room for.
    static let restartDelay = TimeAmount.seconds(1)

    /// After how long it is looked again: the kernel tells of a removal just before it removes (device_del in Linux
    /// drivers/base/core.c), and a look may come in between.
    static let secondLookDelay = TimeAmount.milliseconds(300)

    /// What is plugged in. Empty before `start()`.
    public private(set) var devices: [Device] = []

    private let loop: any EventLoop
    private let onChange: () -> Void
    private let onFailure: (String) -> Void
    private var monitor: DeviceMonitor?
    private let restart: LoopTimer
    private let secondLook: LoopTimer

    /// A watch that nothing has been looked up for yet.
    ///
    /// - Parameters:
    ///   - onChange: told when there are other devices, or the same ones with other properties or nodes, and when udev has
    ///     told of something without that: a device may have gone and come back meanwhile.
    ///   - onFailure: told why devices that come and go from now on are not heard of.
    public init(on loop: any EventLoop, onChange: @escaping () -> Void, onFailure: @escaping (String) -> Void) {
        self.loop = loop
        restart = LoopTimer(on: loop)
        secondLook = LoopTimer(on: loop)
        self.onChange = onChange
        self.onFailure = onFailure
    }

    /// Looks up what is plugged in, and listens from then on. `onChange` is not told of what is there already.
    public func start() {
        // The monitor first: what comes after the look is told of.
        listen()
        devices = Device.all()
    }

    /// Ends it. Nothing is told from now on.
    public func stop() {
        restart.cancel()
        secondLook.cancel()
        monitor?.stop()
        monitor = nil
    }

    private func listen() {
        do throws(DeviceMonitorFailure) {
            monitor = try DeviceMonitor(
                on: loop, onChange: { [unowned self] in look() }, onFailure: { [unowned self] in listenAgain() })
        } catch {
            onFailure("\(error)")
        }
    }

    private func look() {
        devices = Device.all()
        secondLook.set(in: Self.secondLookDelay) { self.lookAgain() }
        onChange()
    }

    private func lookAgain() {
        let before = devices
        devices = Device.all()
        if devices != before { onChange() }
    }

    private func listenAgain() {
        monitor = nil
        restart.set(in: Self.restartDelay) {
            self.listen()
            // It was listened to before: until it is again.
            if self.monitor == nil { self.listenAgain() }
            self.look()
        }
    }
}
