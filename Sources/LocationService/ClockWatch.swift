internal import CLinux
internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Hears that the wall clock was set or that the machine woke up from suspend, without polling and without a bus.
///
/// The event loop's own clock, CLOCK_MONOTONIC, goes on steadily over the first and stands still in the second.
/// Confined to the event loop.
final class ClockWatch {
    /// Less sleep than this, in nanoseconds, is what passed between reading two clocks.
    private static let leastSleep: Int64 = 10_000_000

    private let loop: any EventLoop
    private let open: () -> CInt
    private let slept: () -> Int64
    private let onChange: (_ slept: TimeAmount) -> Void
    private var sleptBefore: Int64
    private var handler: ClockHandler?

    /// - Parameters:
    ///   - open: gives a descriptor that is readable, and cannot be read, at the next change; negative where there is
    ///     none.
    ///   - slept: how long the machine has slept since its boot, in nanoseconds.
    ///   - onChange: told on the loop, with how long the machine slept: 0 where it did not, and the clock was set.
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

    /// Closes it. Nothing is told from now on.
    func stop() {
        handler?.stop()
        handler = nil
    }

    /// A descriptor hears of one change: the loop closes what it cannot read.
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
        // Armed first: what changes from here on is heard of.
        arm()
        let total = slept()
        let sleep = total - sleptBefore
        sleptBefore = total
        onChange(.nanoseconds(sleep < Self.leastSleep ? 0 : sleep))
    }
}

/// Tells when its channel has ended.
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
