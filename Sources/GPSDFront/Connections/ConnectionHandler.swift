internal import NIOCore

/// The only handler in a connection's pipeline: it makes the ``GPSDConnection`` and passes on what happens to its
/// channel.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let server: GPSDServer
    private var connection: GPSDConnection?

    init(server: GPSDServer) {
        self.server = server
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let connection = server.accepted(context.channel) else { return context.close(promise: nil) }
        self.connection = connection
        server.admit(connection)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection?.didReceive(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        connection?.didRead()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { connection?.didCloseInput() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        guard let connection else { return }
        self.connection = nil
        connection.didDisconnect()
        server.disconnected(connection)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
