internal import Glibc
package import NIOCore
internal import NIOPosix

/// Hears from the event loop that something was to be read from a descriptor, and reads it: what it was does not matter, only
/// that there was something. So a message that was lost costs nothing once the next one comes.
///
/// Confined to the event loop.
package final class DescriptorWatch {
    /// Why a descriptor cannot be watched: an error number of the system.
    package struct Failure: Error {
        /// As in errno(3).
        package let errno: CInt
    }

    private let handler = Handler()

    /// Watches a copy of the descriptor, which stays its owner's.
    ///
    /// - Parameters:
    ///   - capacity: the bytes that are read at a time, always: left to itself, the loop would adapt them to what was read
    ///     last.
    ///   - onRead: told on the loop when there was something.
    ///   - onFailure: told on the loop when nothing will be heard any more, though `stop()` was not called.
    package init(
        _ descriptor: CInt, capacity: Int, on loop: any EventLoop, onRead: @escaping () -> Void,
        onFailure: @escaping () -> Void
    ) throws(Failure) {
        // The loop closes the descriptor that it reads, and so does the owner.
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

    /// Ends it. Nothing is told from now on.
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
