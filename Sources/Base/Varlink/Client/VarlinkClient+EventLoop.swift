package import NIOCore
import NIOPosix

/// Functions for callers on the client's event loop. They need neither a task nor a hop to another thread.
extension VarlinkClient {
    /// The replies to one call, read one by one on the event loop.
    package struct Replies: Sendable {
        fileprivate let client: VarlinkClient
        fileprivate let exchange: ClientExchange

        /// Returns the next reply's parameters, or `nil` after the last reply. Fails with the service's
        /// ``VarlinkError`` or a ``VarlinkClientError``.
        ///
        /// Must be called on the event loop, and not again before the returned future has completed. Replies are read
        /// from the socket on demand.
        package func next() -> EventLoopFuture<JSONValue?> { client.nextOnLoop(of: exchange) }
    }

    /// Connects to the Unix socket at `path`. Fails with ``VarlinkClientError/notReachable(path:errno:)``.
    package static func connected(
        to path: String, on eventLoop: any EventLoop, limits: Limits = Limits()
    ) -> EventLoopFuture<VarlinkClient> {
        make(path: path, on: eventLoop, limits: limits)
            .flatMapErrorThrowing { throw notReachable(path, $0) }
    }

    /// Calls the fully qualified `method` and returns its replies. Must be called on the event loop.
    ///
    /// - Throws: `EncodingError`.
    package func replies(
        to method: String, _ parameters: some Encodable, more: Bool = false
    ) throws -> Replies {
        let frame = try Frame.call(method, parameters: parameters, more: more)
        return Replies(client: self, exchange: startOnLoop(frame, more: more))
    }
}
