import NIOCore

/// The channel handler of a connection to gpsd: requests reports, and passes the bytes to the source until `close()`.
final class GPSDHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The source that receives the bytes, or `nil` after `close()`.
    private(set) weak var source: GPSDSource?
    private var channel: (any Channel)?

    init(source: GPSDSource) {
        self.source = source
    }

    func channelActive(context: ChannelHandlerContext) {
        channel = context.channel
        let watch = ByteBuffer(string: "?WATCH={\"enable\":true,\"json\":true};\n")
        context.writeAndFlush(wrapOutboundOut(watch), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        source?.receive(buffer.readableBytesSpan, from: self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        channel = nil
        source?.disconnected()
    }

    /// Closes the connection. The source is not called afterwards.
    func close() {
        source = nil
        channel?.close(promise: nil)
    }
}
