internal import CUdev
internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Hears of serial ports and GNSS nodes that come, go and change, after udev's rules have run: read by the event loop.
///
/// Confined to the event loop.
final class DeviceMonitor {
    private let monitor: OpaquePointer
    private let handler = Handler()

    /// - Parameters:
    ///   - onChange: told on the loop when something may have changed.
    ///   - onFailure: told on the loop when nothing will be heard any more, though `stop()` was not called: with
    ///     `ENOBUFS`, when so much has happened that some was lost.
    ///
    /// Throws where udev cannot be listened to.
    init(
        on loop: any EventLoop, onChange: @escaping () -> Void, onFailure: @escaping () -> Void
    ) throws(DeviceMonitorFailure) {
        monitor = try Self.open()
        // The loop closes the descriptor that it reads, and so does the monitor.
        let descriptor = fcntl(udev_monitor_get_fd(monitor), F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else {
            let failure = DeviceMonitorFailure(errno: errno)
            udev_monitor_unref(monitor)
            throw failure
        }
        let (handler, bound) = (handler, NIOLoopBound(handler, eventLoop: loop))
        NIOPipeBootstrap(group: loop)
            // A message is cut off, not refused, where the buffer is smaller.
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 64))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(bound.value)
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .assumeIsolated()
            .whenFailure { _ in
                _ = Glibc.close(descriptor)
                handler.fail()
            }
        guard !handler.hasFailed else {
            udev_monitor_unref(monitor)
            throw DeviceMonitorFailure(errno: EIO)
        }
        handler.onRead = onChange
        handler.onFailure = onFailure
    }

    deinit {
        handler.silence()
        udev_monitor_unref(monitor)
    }

    /// Closes it. Nothing is told from now on.
    func stop() { handler.stop() }

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

/// What was read does not matter, only that there was something: what there is now is looked up then, so that a message that
/// was lost costs nothing once the next one comes.
private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    var onRead: (() -> Void)?
    var onFailure: (() -> Void)?
    private(set) var hasFailed = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        fail()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func channelReadComplete(context: ChannelHandlerContext) { onRead?() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func fail() {
        let onFailure = onFailure
        hasFailed = true
        silence()
        onFailure?()
    }

    func silence() { (onRead, onFailure) = (nil, nil) }

    func stop() {
        silence()
        context?.close(promise: nil)
    }
}
