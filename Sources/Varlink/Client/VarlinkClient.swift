import Glibc
public import NIOCore
import NIOPosix

/// A client's connection to a Varlink service.
///
/// Calls may be made concurrently; the service answers them one after the other, in the order in which they were
/// made. A stream keeps the connection busy until it ends: open one connection for each. The connection is closed
/// with the last reference.
public final class VarlinkClient: Sendable {
    /// What replies may take up.
    public struct Limits: Sendable {
        /// The greatest reply, in bytes. Default 1 MiB.
        public var frameSize = 1 << 20
        /// How deep JSON may be nested. Default 32.
        public var depth = 32

        /// The defaults.
        public init() {}
    }

    private let channel: any Channel
    private let handler: NIOLoopBound<ClientHandler>

    private init(_ channel: any Channel, _ handler: NIOLoopBound<ClientHandler>) {
        self.channel = channel
        self.handler = handler
    }

    deinit {
        channel.close(promise: nil)
    }

    /// Connects to the Unix socket at `path`. Throws ``VarlinkClientError/notReachable(path:errno:)``.
    public static func connect(
        path: String, on eventLoop: any EventLoop, limits: Limits = Limits()
    ) async throws(VarlinkClientError) -> VarlinkClient {
        do {
            return try await make(path: path, on: eventLoop, limits: limits).get()
        } catch {
            throw notReachable(path, error)
        }
    }

    /// Why `path` could not be connected to.
    static func notReachable(_ path: String, _ error: any Error) -> VarlinkClientError {
        .notReachable(path: path, errno: (error as? IOError)?.errnoCode ?? ENAMETOOLONG)
    }

    /// Uses a connected stream socket, and takes it over.
    public static func connect(
        descriptor: Int32, on eventLoop: any EventLoop, limits: Limits = Limits()
    ) async throws(VarlinkClientError) -> VarlinkClient {
        do {
            return try await make(on: eventLoop, limits: limits) { $0.withConnectedSocket(descriptor) }.get()
        } catch {
            throw .closed
        }
    }

    static func make(
        on eventLoop: any EventLoop, limits: Limits,
        connect: @Sendable @escaping (ClientBootstrap) -> EventLoopFuture<any Channel>
    ) -> EventLoopFuture<VarlinkClient> {
        eventLoop.flatSubmit {
            let handler = NIOLoopBound(ClientHandler(limits: limits), eventLoop: eventLoop)
            let bootstrap = ClientBootstrap(group: eventLoop)
                .channelOption(.autoRead, value: false)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(handler.value)
                    }
                }
            return connect(bootstrap).map { VarlinkClient($0, handler) }
        }
    }

    /// How long a service that has no room for a connection is tried again.
    static let retryTime = TimeAmount.seconds(5)
    private static let firstRetryDelay = TimeAmount.milliseconds(5)

    /// Connects to the Unix socket at `path`.
    ///
    /// unix(7): EAGAIN means that as many connections wait to be accepted as may wait. Attack: somebody connects in a
    /// flood, and everybody else is turned away. So it is tried again, less and less often, for `retryTime`.
    static func make(
        path: String, on eventLoop: any EventLoop, limits: Limits, retryTime: TimeAmount = retryTime,
        delay: TimeAmount = firstRetryDelay
    ) -> EventLoopFuture<VarlinkClient> {
        make(on: eventLoop, limits: limits) { $0.connect(unixDomainSocketPath: path) }.flatMapError { error in
            guard (error as? IOError)?.errnoCode == EAGAIN, delay < retryTime else {
                return eventLoop.makeFailedFuture(error)
            }
            return eventLoop.flatScheduleTask(in: delay) {
                make(path: path, on: eventLoop, limits: limits, retryTime: retryTime, delay: delay * 2)
            }.futureResult
        }
    }

    /// Calls `method`, fully qualified, and waits for its reply.
    ///
    /// Throws the service's ``VarlinkError``, a ``VarlinkClientError``, or `CancellationError`: cancelling the task
    /// closes the connection, since a reply that nobody waits for cannot be told from the next one.
    public func call<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable = Nothing(), returning type: Reply.Type = Reply.self
    ) async throws -> Reply {
        let exchange = start(try Frame.call(method, parameters: parameters), more: false)
        guard let reply = try await next(of: exchange) else { throw VarlinkClientError.closed }
        return try Self.decode(reply)
    }

    /// Calls `method`, fully qualified, which replies again and again.
    ///
    /// Errors come from the sequence. It ends after the last reply; giving it up before that, or cancelling the
    /// task that reads it, closes the connection. As long as nobody takes the replies, they are not read.
    public func stream<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable = Nothing(), of type: Reply.Type = Reply.self
    ) throws -> VarlinkStream<Reply> {
        let frame = try Frame.call(method, parameters: parameters, more: true)
        return VarlinkStream(client: self, exchange: start(frame, more: true))
    }

    /// Calls `method`, fully qualified, without wanting a reply; returns when the call has been written.
    public func callOneway(_ method: String, _ parameters: some Encodable = Nothing()) async throws {
        let frame = try Frame.call(method, parameters: parameters, oneway: true)
        do {
            try await channel.writeAndFlush(frame)
        } catch {
            throw VarlinkClientError.closed
        }
    }

    /// Closes the connection; calls under way throw ``VarlinkClientError/closed``.
    public func close() {
        channel.close(promise: nil)
    }

    /// Succeeds when the connection is gone, whoever closed it.
    package var closed: EventLoopFuture<Void> { channel.closeFuture }

    // MARK: Exchanges

    private func start(_ frame: ByteBuffer, more: Bool) -> ClientExchange {
        let exchange = ClientExchange.makeBoxSendingValue(ExchangeState(more: more), eventLoop: channel.eventLoop)
        channel.eventLoop.execute { [handler, channel] in
            handler.value.start(exchange, frame, channel)
        }
        return exchange
    }

    /// The same on the event loop: the call is written before this returns.
    func startOnLoop(_ frame: ByteBuffer, more: Bool) -> ClientExchange {
        let exchange = ClientExchange(ExchangeState(more: more), eventLoop: channel.eventLoop)
        handler.value.start(exchange, frame, channel)
        return exchange
    }

    func nextOnLoop(of exchange: ClientExchange) -> EventLoopFuture<JSONValue?> {
        handler.value.next(of: exchange, channel)
    }

    func next(of exchange: ClientExchange) async throws -> JSONValue? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            do {
                return try await channel.eventLoop.flatSubmit { [handler, channel] in
                    handler.value.next(of: exchange, channel)
                }.get()
            } catch VarlinkClientError.closed where Task.isCancelled {
                throw CancellationError()
            }
        } onCancel: {
            close()
        }
    }

    /// Nobody takes the replies of `exchange` any more: with some still to come, the connection is of no use.
    func giveUp(_ exchange: ClientExchange) {
        channel.eventLoop.execute { [channel] in
            if exchange.value.outcome == nil { channel.close(promise: nil) }
        }
    }

    static func decode<Reply: Decodable>(_ reply: JSONValue) throws -> Reply {
        do {
            return try reply.decoded()
        } catch {
            throw VarlinkClientError.malformed("\(error)")
        }
    }
}
