import NIOCore

/// The state of one call on the client's side. Confined to the event loop.
struct ExchangeState {
    /// A Boolean value indicating whether more than one reply may arrive.
    let more: Bool
    /// The replies that have arrived but have not been consumed.
    var replies = CircularBuffer<JSONValue>(initialCapacity: 1)
    /// The promise for the reader that waits for the next reply, or `nil` if no reader waits. It succeeds with `nil`
    /// after the last reply.
    var waiter: EventLoopPromise<JSONValue?>?
    /// The outcome of the call, or `nil` while more replies are expected.
    var outcome: Result<Void, any Error>?

    init(more: Bool) {
        self.more = more
    }

    /// Returns the result that ``ClientHandler/next(of:_:)`` can report at once, or `nil` if it has to wait.
    mutating func nextResult() -> Result<JSONValue?, any Error>? {
        if let reply = replies.popFirst() { return .success(reply) }
        return outcome.map { $0.map { nil } }
    }
}

/// A call in progress. Its state is accessed only on the event loop.
typealias ClientExchange = NIOLoopBoundBox<ExchangeState>

/// A handler that matches replies to calls, in order. It reads only while a reader waits for the oldest call's reply.
final class ClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let limits: VarlinkClient.Limits
    private var decoder: FrameDecoder
    private var exchanges = CircularBuffer<ClientExchange>(initialCapacity: 1)

    init(limits: VarlinkClient.Limits) {
        self.limits = limits
        decoder = FrameDecoder(maximumFrameSize: limits.frameSize)
    }

    // MARK: From the client

    func start(_ exchange: ClientExchange, _ frame: ByteBuffer, _ channel: any Channel) {
        guard channel.isActive else {
            exchange.value.outcome = .failure(VarlinkClientError.closed)
            return
        }
        exchanges.append(exchange)
        channel.writeAndFlush(frame, promise: nil)
    }

    func next(of exchange: ClientExchange, _ channel: any Channel) -> EventLoopFuture<JSONValue?> {
        if let result = exchange.value.nextResult() {
            return channel.eventLoop.makeCompletedFuture(result)
        }
        precondition(exchange.value.waiter == nil, "a stream of replies has one reader")
        let waiter = channel.eventLoop.makePromise(of: JSONValue?.self)
        exchange.value.waiter = waiter
        readIfAwaited(channel)
        return waiter.futureResult
    }

    private func readIfAwaited(_ channel: any Channel) {
        if exchanges.first?.value.waiter != nil { channel.read() }
    }

    // MARK: From the socket

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var input = unwrapInboundIn(data)
        do {
            while let frame = try decoder.next(&input) { try received(frame) }
        } catch let error as VarlinkClientError {
            fail(error)
            context.close(promise: nil)
        } catch {
            fail(.malformed("longer than \(limits.frameSize) bytes"))
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        readIfAwaited(context.channel)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.closed)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func received(_ frame: ByteBuffer) throws(VarlinkClientError) {
        guard let exchange = exchanges.first else { throw .malformed("a reply without a call") }
        let reply = try Reply(parsing: frame, maximumDepth: limits.depth)
        guard !reply.continues || exchange.value.more else { throw .malformed("more replies than asked for") }
        if reply.error == nil { exchange.value.replies.append(reply.parameters) }
        if !reply.continues {
            exchanges.removeFirst()
            exchange.value.outcome = reply.error.map { .failure($0) } ?? .success(())
        }
        deliver(exchange)
    }

    private func fail(_ error: VarlinkClientError) {
        while let exchange = exchanges.popFirst() {
            exchange.value.outcome = .failure(error)
            deliver(exchange)
        }
    }

    private func deliver(_ exchange: ClientExchange) {
        guard let waiter = exchange.value.waiter, let result = exchange.value.nextResult() else { return }
        exchange.value.waiter = nil
        waiter.completeWith(result)
    }
}

/// A reply's envelope.
private struct Reply {
    var parameters: JSONValue
    var continues: Bool
    var error: VarlinkError?

    init(parsing frame: ByteBuffer, maximumDepth: Int) throws(VarlinkClientError) {
        let message: JSONValue
        do {
            message = try JSONValue(parsing: frame.readableBytesUInt8Span, maximumDepth: maximumDepth)
        } catch {
            throw .malformed("\(error)")
        }
        guard case .object = message else { throw .malformed("not an object") }
        parameters = message["parameters"] ?? [:]
        if parameters == .null { parameters = [:] }
        continues = message["continues"] == true
        switch message["error"] {
        case nil, .null?: error = nil
        case .string(let name)?: error = VarlinkError(name, parameters: parameters)
        default: throw .malformed("'error' is not a string")
        }
        if error != nil { continues = false }
    }
}
