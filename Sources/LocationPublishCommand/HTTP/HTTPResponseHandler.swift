internal import NIOCore
internal import NIOHTTP1

/// A channel handler that reports the status of each response, and ignores its body.
final class HTTPResponseHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// The end of a response or of the connection.
    enum Response {
        /// The whole response has arrived.
        case completed(status: UInt, keepsAlive: Bool)
        /// The server has sent something that is not HTTP, or the connection was lost.
        case failed(reason: String)
    }

    /// The maximum length of a body, which is skipped, in bytes. Traccar's are empty.
    private static let maximumBody = 1_000_000
    /// The maximum number of interim responses before the response itself. One is usual.
    private static let maximumInterim = 8

    private let onResponse: (Response) -> Void
    private var head: HTTPResponseHead?
    private var length = 0
    private var interim = 0

    init(onResponse: @escaping (Response) -> Void) {
        self.onResponse = onResponse
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        // An interim response, such as 100 Continue, precedes the response. It is a head alone.
        case .head(let head) where head.status.code < 200:
            interim += 1
            // Attack: a server sends them without end, and keeps a processor of this machine busy.
            if interim > Self.maximumInterim { fail(context, "the server sends interim responses without end") }
        case .head(let head):
            self.head = head
            length = 0
            interim = 0
        case .body(let bytes):
            length += bytes.readableBytes
            if length > Self.maximumBody { fail(context, "the server's response is too long") }
        case .end:
            guard let head else { return }
            self.head = nil
            onResponse(.completed(status: head.status.code, keepsAlive: head.isKeepAlive))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(context, error is HTTPParserError ? "the server has sent something that is not HTTP" : "\(error)")
    }

    private func fail(_ context: ChannelHandlerContext, _ reason: String) {
        onResponse(.failed(reason: reason))
        context.close(promise: nil)
    }
}
