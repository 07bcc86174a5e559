internal import CLinux
internal import Glibc
internal import NIOCore
internal import NIOPosix

/// A watch for changes of the wall clock and for wake-ups from suspend, without polling and without a bus.
///
/// The event loop's own clock, CLOCK_MONOTONIC, is not affected when the wall clock is set, and stands still during
/// suspend. Confined to the event loop.
final class ClockWatch {
    /// The shortest sleep that is reported, in nanoseconds. Less than that passes between reading the two clocks.
    private static let shortestSleep: Int64 = 10_000_000

    private let loop: any EventLoop
    private let open: () -> CInt
    private let slept: () -> Int64
    private let onChange: (_ slept: TimeAmount) -> Void
    private var sleptBefore: Int64
    private var handler: ClockHandler?

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - open: Returns a descriptor that becomes readable, but cannot be read, at the next change, or a negative
    ///     value if there is none.
    ///   - slept: Returns the time that the machine has slept since it was booted, in nanoseconds.
    ///   - onChange: Called on the event loop with the time that the machine slept, or 0 if the clock was set instead.
    init(
        on loop: any EventLoop, open: @escaping () -> CInt = clock_watch_open,
        slept: @escaping () -> Int64 = { Int64(clock_slept()) }, onChange: @escaping (_ slept: TimeAmount) -> Void
    ) {
        self.loop = loop
        self.open = open
        self.slept = slept
        self.onChange = onChange
        sleptBefore = slept()
        arm()
    }

    /// Closes the watch. Nothing is reported afterwards.
    func stop() {
        handler?.stop()
        handler = nil
    }

    /// Opens a new descriptor. Each descriptor reports only one change, because the loop closes a channel that
    /// cannot be read.
    private func arm() {
        let descriptor = open()
        guard descriptor >= 0 else { return }
        let handler = ClockHandler { [unowned self] in changed() }
        self.handler = handler
        let bound = NIOLoopBound(handler, eventLoop: loop)
        NIOPipeBootstrap(group: loop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bound.value) }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .assumeIsolated()
            .whenFailure { _ in
                _ = Glibc.close(descriptor)
                handler.stop()
            }
    }

    private func changed() {
        // Armed first, so that no later change is missed.
        arm()
        let total = slept()
        let sleep = total - sleptBefore
        sleptBefore = total
        onChange(.nanoseconds(sleep < Self.shortestSleep ? 0 : sleep))
    }
}

/// A handler that reports the end of its channel.
private final class ClockHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var onEnd: (() -> Void)?
    private var context: ChannelHandlerContext?

    init(onEnd: @escaping () -> Void) { self.onEnd = onEnd }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func stop() {
        onEnd = nil
        context?.close(promise: nil)
    }
}
