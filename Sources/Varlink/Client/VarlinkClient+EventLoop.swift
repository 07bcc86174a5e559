package import NIOCore
import NIOPosix

/// The client for those who live on its event loop: no task, no hop to another thread.
extension VarlinkClient {
    /// The replies of one call, taken one by one on the event loop.
    package struct Replies: Sendable {
        fileprivate let client: VarlinkClient
        fileprivate let exchange: ClientExchange

        /// The next reply's parameters; `nil` after the last one. Fails with the service's ``VarlinkError`` or a
        /// ``VarlinkClientError``. To be called on the event loop, and again only when it has been answered. Replies
        /// are read from the socket as they are asked for.
        package func next() -> EventLoopFuture<JSONValue?> { client.nextOnLoop(of: exchange) }
    }

    /// Connects to the Unix socket at `path`; fails with ``VarlinkClientError/notReachable(path:errno:)``.
    package static func connected(
        to path: String, on eventLoop: any EventLoop, limits: Limits = Limits()
    ) -> EventLoopFuture<VarlinkClient> {
        make(path: path, on: eventLoop, limits: limits)
            .flatMapErrorThrowing { throw notReachable(path, $0) }
    }

    /// Calls `method`, fully qualified. Throws `EncodingError`. To be called on the event loop.
    package func replies(
        to method: String, _ parameters: some Encodable, more: Bool = false
    ) throws -> Replies {
        let frame = try Frame.call(method, parameters: parameters, more: more)
        return Replies(client: self, exchange: startOnLoop(frame, more: more))
    }
}
