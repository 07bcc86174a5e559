internal import EventLoopSupport
internal import LocationProtocol
internal import NIOCore
internal import NIOPosix
internal import Varlink

/// The path of the daemon's socket, and the event loop of its connections.
struct DaemonSocket: Sendable {
    /// The shared event loop, created on first use: a program that makes no call has no thread for it.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    let path: String
    let backoff: Backoff
    private let ownLoop: (any EventLoop)?

    init(runtimeDirectory: String, eventLoop: (any EventLoop)?, backoff: Backoff) {
        path = LocationInterface.socketPath(in: runtimeDirectory)
        self.backoff = backoff
        ownLoop = eventLoop
    }

    var eventLoop: any EventLoop { ownLoop ?? Self.group.next() }

    func connect() -> EventLoopFuture<VarlinkClient> {
        VarlinkClient.connected(to: path, on: eventLoop)
    }

    /// Runs `body` on the event loop, immediately if the caller is on it.
    func onLoop(_ body: @escaping @Sendable () -> Void) {
        let eventLoop = eventLoop
        if eventLoop.inEventLoop { body() } else { eventLoop.execute(body) }
    }
}
