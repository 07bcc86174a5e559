internal import CSystemd
internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import PeerIdentity

/// Hears of changes of sessions, users and seats: sd_login_monitor(3), read by the event loop, without polling.
///
/// Confined to the event loop.
final class LoginMonitor {
    private let loop: any EventLoop
    private let monitor: OpaquePointer
    private let handler: Handler
    private var timeout: Scheduled<Void>?

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
        // The loop closes the descriptor that it reads, and so does the monitor.
        let descriptor = fcntl(sd_login_monitor_get_fd(monitor), F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else {
            let failure = Login.Failure(errno: errno)
            sd_login_monitor_unref(monitor)
            throw failure
        }
        self.loop = loop
        self.monitor = monitor
        handler = Handler()
        read(descriptor)
        guard !handler.hasFailed else { throw Login.Failure(errno: EIO) }
        handler.onFailure = onFailure
        handler.onRead = { [unowned self] in
            sd_login_monitor_flush(monitor)
            scheduleTimeout()
            onChange()
        }
        scheduleTimeout()
    }

    deinit {
        handler.silence()
        sd_login_monitor_unref(monitor)
    }

    /// Closes it. Nothing is told from now on.
    func stop() {
        timeout?.cancel()
        handler.stop()
    }

    private func read(_ descriptor: CInt) {
        let (handler, bound) = (handler, NIOLoopBound(handler, eventLoop: loop))
        NIOPipeBootstrap(group: loop)
            // Attack: a container with a long name. inotify(7) answers EINVAL when the buffer has no room for the next
            // event, whose name may have 255 bytes, and with that the loop ends the process. Left to itself, it adapts
            // its buffers to what was read last.
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1024))
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
    }

    /// When the monitor wants to be looked at without anything to read: never, says libsystemd as it is today.
    private func scheduleTimeout() {
        timeout?.cancel()
        timeout = nil
        var microseconds = UInt64.max
        guard sd_login_monitor_get_timeout(monitor, &microseconds) >= 0, microseconds != .max else { return }
        let deadline = NIODeadline.uptimeNanoseconds(min(microseconds, .max / 2000) * 1000)
        timeout = loop.assumeIsolated().scheduleTask(deadline: deadline) { [handler] in handler.onRead?() }
    }
}

/// What was read does not matter, only that there was something.
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
