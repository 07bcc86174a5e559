import Glibc
public import NIOCore
import NIOPosix

/// A client's connection to a Varlink service.
///
/// Calls may be made concurrently; the service answers them one after another, in the order they were made. A stream
/// occupies its connection until it ends, so open a separate connection for each stream. The connection closes with the
/// last reference to the client.
public final class VarlinkClient: Sendable {
    /// The limits on replies.
    public struct Limits: Sendable {
        /// The maximum size of a reply, in bytes. Default: 1 MiB.
        public var frameSize = 1 << 20
        /// The maximum nesting depth of JSON. Default: 32.
        public var depth = 32

        /// Creates the default limits.
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

    /// Connects to the Unix socket at `path`.
    ///
    /// - Throws: ``VarlinkClientError/notReachable(path:errno:)``.
    public static func connect(
        path: String, on eventLoop: any EventLoop, limits: Limits = Limits()
    ) async throws(VarlinkClientError) -> VarlinkClient {
        do {
            return try await make(path: path, on: eventLoop, limits: limits).get()
        } catch {
            throw notReachable(path, error)
        }
    }

    /// Returns the error for a failed attempt to connect to `path`.
    static func notReachable(_ path: String, _ error: any Error) -> VarlinkClientError {
        .notReachable(path: path, errno: (error as? IOError)?.errnoCode ?? ENAMETOOLONG)
    }

    /// Creates a client on a connected stream socket, and takes ownership of the socket.
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

    /// The time for which connecting is retried while the service's backlog is full.
    static let retryTime = TimeAmount.seconds(5)
    private static let firstRetryDelay = TimeAmount.milliseconds(5)

    /// Connects to the Unix socket at `path`.
    ///
    /// EAGAIN means that the listener's backlog is full: unix(7). Attack: one client opens a flood of connections, and
    /// all other clients are turned away. So connecting is retried for `retryTime`, with a delay that doubles each
    /// time.
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

    /// Calls the fully qualified `method` and returns its reply.
    ///
    /// - Throws: The service's ``VarlinkError``, a ``VarlinkClientError``, or `CancellationError`. Cancelling the
    ///   task closes the connection, because an abandoned reply cannot be distinguished from the reply to the next
    ///   call.
    public func call<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable = Nothing(), returning type: Reply.Type = Reply.self
    ) async throws -> Reply {
        let exchange = start(try Frame.call(method, parameters: parameters), more: false)
        guard let reply = try await next(of: exchange) else { throw VarlinkClientError.closed }
        return try Self.decode(reply)
    }

    /// Calls the fully qualified `method`, which replies repeatedly, and returns the sequence of replies.
    ///
    /// The sequence ends after the last reply. Abandoning it earlier, or cancelling the task that reads it, closes
    /// the connection. Replies are read from the socket on demand.
    ///
    /// - Throws: `EncodingError`. The sequence throws all other errors.
    public func stream<Reply: Decodable>(
        _ method: String, _ parameters: some Encodable = Nothing(), of type: Reply.Type = Reply.self
    ) throws -> VarlinkStream<Reply> {
        let frame = try Frame.call(method, parameters: parameters, more: true)
        return VarlinkStream(client: self, exchange: start(frame, more: true))
    }

    /// Calls the fully qualified `method` without expecting a reply. Returns once the call has been written.
    public func callOneway(_ method: String, _ parameters: some Encodable = Nothing()) async throws {
        let frame = try Frame.call(method, parameters: parameters, oneway: true)
        do {
            try await channel.writeAndFlush(frame)
        } catch {
            throw VarlinkClientError.closed
        }
    }

    /// Closes the connection. Calls in progress throw ``VarlinkClientError/closed``.
    public func close() {
        channel.close(promise: nil)
    }

    /// A future that succeeds when the connection has been closed, by either side.
    package var closed: EventLoopFuture<Void> { channel.closeFuture }

    // MARK: Exchanges

    private func start(_ frame: ByteBuffer, more: Bool) -> ClientExchange {
        let exchange = ClientExchange.makeBoxSendingValue(ExchangeState(more: more), eventLoop: channel.eventLoop)
        channel.eventLoop.execute { [handler, channel] in
            handler.value.start(exchange, frame, channel)
        }
        return exchange
    }

    /// Starts a call from the event loop. The call is written before this function returns.
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

    /// Abandons `exchange`. If replies are still expected, closes the connection, which is of no further use.
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

/// The reason for the lack of a valid reply, except for errors reported by the service (``VarlinkError``).
public enum VarlinkClientError: Error, Hashable, CustomStringConvertible {
    /// Connecting to `path` failed. `errno` is the reason, such as ENOENT, ECONNREFUSED (no service listens
    /// there) or EACCES.
    case notReachable(path: String, errno: Int32)
    /// The connection was closed, by either side, before the reply arrived.
    case closed
    /// The received data is not a reply, or the caller cannot decode it. The text describes the problem.
    case malformed(String)

    /// The error as a sentence without a full stop.
    public var description: String {
        switch self {
        case .notReachable(let path, let errno): "cannot connect to \(path): \(String(cString: strerror(errno)))"
        case .closed: "the connection was closed"
        case .malformed(let problem): "not a valid reply: \(problem)"
        }
    }
}
