import CLinux
import Glibc
import NIOCore

/// The end of a serial port's channel: hands its bytes to the source for as long as that has it open.
final class SerialPortHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Who gets the bytes; `nil` after `close()`.
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

    /// Has the line read with these settings from now on. A port that has just gone is told of by its channel.
    func set(_ settings: SerialSettings) {
        let framing =
            switch settings.framing {
            case .eightN1: TTY_8N1
            case .sevenN2: TTY_7N2
            case .eightE1: TTY_8E1
            }
        _ = tty_set_line(descriptor, UInt32(settings.bitsPerSecond), framing)
    }

    /// Drops what was received and not yet read.
    func dropUnread() {
        tcflush(descriptor, TCIFLUSH)
    }

    /// Closes the port; the source hears no more.
    func close() {
        source = nil
        guard let channel else { return }
        tty_release(descriptor)
        channel.close(promise: nil)
    }
}
