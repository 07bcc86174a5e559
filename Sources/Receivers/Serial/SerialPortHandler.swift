import CLinux
import Glibc
import NIOCore

/// The channel handler of a serial port: passes the bytes to the source until `close()`.
final class SerialPortHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The source that receives the bytes, or `nil` after `close()`.
    private(set) weak var source: SerialSource?
    private let descriptor: CInt
    private var channel: (any Channel)?
    private var error: (any Error)?

    init(descriptor: CInt, source: SerialSource) {
        self.descriptor = descriptor
        self.source = source
    }

    func handlerAdded(context: ChannelHandlerContext) {
        channel = context.channel
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        source?.receive(buffer.readableBytesSpan, from: self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.error = error
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        channel = nil
        source?.portClosed(error)
    }

    /// Applies new serial settings. An error is ignored: if the port has gone, its channel reports that.
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

    /// Closes the port. The source is not called afterwards.
    func close() {
        source = nil
        guard let channel else { return }
        tty_release(descriptor)
        channel.close(promise: nil)
    }
}
