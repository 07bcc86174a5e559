import CLinux
import Glibc
import NIOCore
import NIOPosix

/// The channel handler of a serial port: passes the bytes to the transport until `close()`.
final class SerialPortHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The transport that receives the bytes, or `nil` after `close()`.
    private var transport: SerialTransport?
    private let descriptor: CInt
    private var channel: (any Channel)?
    private var error: (any Error)?

    init(descriptor: CInt, transport: SerialTransport) {
        self.descriptor = descriptor
        self.transport = transport
    }

    /// Begins to read. Takes ownership of the descriptor.
    func open(on eventLoop: any EventLoop) {
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        NIOPipeBootstrap(group: eventLoop)
            // The tty driver returns at most 4095 bytes at a time.
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success: self.transport?.portOpened()
                case .failure(let error):
                    _ = Glibc.close(self.descriptor)
                    self.transport?.portClosed(error)
                }
            }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        channel = context.channel
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        transport?.receive(buffer.readableBytesSpan)
    }

    /// The event is not passed on, because there is no further handler.
    func channelReadComplete(context: ChannelHandlerContext) {}

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.error = error
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        channel = nil
        transport?.portClosed(error)
    }

    /// Applies new serial settings. Ignores errors: if the port has gone, its channel reports that.
    func set(_ settings: SerialSettings) {
        let framing =
            switch settings.framing {
            case .eightN1: TTY_8N1
            case .sevenN2: TTY_7N2
            case .eightE1: TTY_8E1
            }
        _ = tty_set_line(descriptor, UInt32(settings.bitsPerSecond), framing)
    }

    /// A Boolean value indicating whether bytes were received but not read yet.
    var hasUnread: Bool {
        var count: CInt = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
    }

    /// Drops bytes that were received but not read yet.
    func dropUnread() {
        tcflush(descriptor, TCIFLUSH)
    }

    /// Closes the port. The transport is not called afterwards.
    func close() {
        transport = nil
        guard let channel else { return }
        tty_release(descriptor)
        channel.close(promise: nil)
    }
}
