import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A server that sends the test's text to every client.
final class FakeGPSD: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let server: any Channel
    private let connections = NIOLockedValueBox<(opened: Int, open: [any Channel])>((0, []))
    private let heard = NIOLockedValueBox("")

    init(greeting: String) async throws {
        let (connections, heard) = (connections, heard)
        server = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                connections.withLockedValue {
                    $0.opened += 1
                    $0.open.append(channel)
                }
                channel.closeFuture.whenComplete { _ in
                    connections.withLockedValue { $0.open.removeAll { $0 === channel } }
                }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Listener(greeting: greeting, heard: heard))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var port: Int { server.localAddress?.port ?? 0 }
    /// The number of open connections.
    var openCount: Int { connections.withLockedValue { $0.open.count } }
    /// The number of connections so far.
    var openedCount: Int { connections.withLockedValue { $0.opened } }
    /// The text that the clients have sent.
    var request: String { heard.withLockedValue(\.self) }

    func say(_ text: String) {
        for channel in connections.withLockedValue({ $0.open }) {
            channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        }
    }

    func shutDown() async throws { try await group.shutdownGracefully() }

    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let greeting: String
        private let heard: NIOLockedValueBox<String>

        init(greeting: String, heard: NIOLockedValueBox<String>) {
            self.greeting = greeting
            self.heard = heard
        }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(string: greeting)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = String(buffer: unwrapInboundIn(data))
            heard.withLockedValue { $0 += text }
        }
    }
}
