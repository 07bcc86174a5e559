internal import Glibc
package import NIOCore
internal import NIOPosix

/// Watches a descriptor on the event loop: reads it and reports that there was something to read, regardless of what
/// it was. So a lost message does no harm once the next one arrives.
///
/// Confined to the event loop.
package final class DescriptorWatch {
    /// The error of a descriptor that cannot be watched.
    package struct Failure: Error {
        /// The error number, as in errno(3).
        package let errno: CInt
    }

    private let handler = Handler()

    /// Watches a duplicate of the descriptor, which remains its owner's.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes per read. Without it, the loop would adapt that number to the last read.
    ///   - onRead: Called on the loop after something was read.
    ///   - onFailure: Called on the loop when watching ended without a call of `stop()`.
    package init(
        _ descriptor: CInt, capacity: Int, on loop: any EventLoop, onRead: @escaping () -> Void,
        onFailure: @escaping () -> Void
    ) throws(Failure) {
        // Both the loop and the owner close the descriptor that they use.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Failure(errno: errno) }
        let (handler, bound) = (handler, NIOLoopBound(handler, eventLoop: loop))
        NIOPipeBootstrap(group: loop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: capacity))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(bound.value)
                }
            }
            .takingOwnershipOfDescriptor(input: copy)
            .assumeIsolated()
            .whenFailure { _ in
                _ = Glibc.close(copy)
                handler.fail()
            }
        guard !handler.hasFailed else { throw Failure(errno: EIO) }
        handler.onRead = onRead
        handler.onFailure = onFailure
    }

    deinit { handler.silence() }

    /// Stops watching. Neither handler is called afterwards.
    package func stop() { handler.stop() }
}

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
