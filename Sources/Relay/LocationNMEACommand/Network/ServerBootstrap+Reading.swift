internal import NIOCore
internal import NIOPosix

extension ServerBootstrap {
    /// The number of bytes that are read at once from a connection.
    static let bytesAtOnce = 4096

    /// Returns a bootstrap of a port whose connections are read when their handler asks for it, once each time, so that
    /// it can hold to a budget.
    static func readOnRequest(on loop: any EventLoop) -> ServerBootstrap {
        ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 16)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: bytesAtOnce))
    }
}
