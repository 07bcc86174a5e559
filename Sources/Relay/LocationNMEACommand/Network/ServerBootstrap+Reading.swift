internal import NIOCore
internal import NIOPosix

extension ServerBootstrap {
    /// The number of bytes that are read from a connection at once.
    static let bytesAtOnce = 4096

    /// Returns a bootstrap for a port whose connections are read once per request of their handler, so that the handler
    /// can keep to a budget.
    static func readOnRequest(on loop: any EventLoop) -> ServerBootstrap {
        ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 16)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: bytesAtOnce))
    }
}
