import Glibc
public import Linux
public import NIOCore
import NIOPosix

/// Serves a ``VarlinkService`` on Unix sockets, wholly on one event loop.
///
/// Confined to that loop: make it and use it there.
public final class VarlinkServer {
    /// What one connection may use up.
    public struct Limits: Sendable {
        /// The greatest frame, in bytes; a greater one is answered with InvalidParameter (`message`), and the
        /// connection closed. No more than that is kept of a connection's input either. Default 64 KiB.
        public var frameSize = 65_536
        /// How deep JSON may be nested; deeper is InvalidParameter (`message`). Default 32.
        public var depth = 32
        /// How many bytes of replies may wait for the peer to read; more close the connection. No further call is read
        /// before all are sent. Default 64 KiB.
        public var unsentBytes = 65_536
        /// SO_SNDBUF, in bytes (the kernel doubles it): what the kernel keeps for a peer that does not read.
        /// Default 16 KiB.
        public var sendBuffer: CInt = 16_384
        /// How many connections may wait to be accepted, listen(2). Who connects in a flood fills that, and everybody waits
        /// as long as it takes to accept so many. Default 4096.
        public var backlog: CInt = 4096
        /// How long a refused connection may take to make the call that is answered with the error. Default 10 s.
        public var refusalTime: TimeAmount = .seconds(10)

        /// The defaults.
        public init() {}
    }

    /// What becomes of a new connection.
    public enum Admission: Sendable {
        /// Its calls are taken up.
        case admitted
        /// That is found out: ``Connection/admit()`` or ``Connection/refuse(_:)`` follows. Until then nothing of it is
        /// read.
        case pending
    }

    /// Asked about each new connection before any call is read: limits, identity. A thrown error refuses it: it is
    /// the answer to the connection's first call, after which the connection is closed.
    public var accept: ((Connection) throws(VarlinkError) -> Admission)?

    /// Called once for each connection that ``accept`` was asked about, from the event loop, when it is gone; after the
    /// running call's ``AnyCall/whenEnded(_:)``.
    public var onClosed: ((Connection) -> Void)?

    /// Told when a connection was accepted, and when one has closed, after ``onClosed``.
    public var onConnectionsChanged: (() -> Void)?

    let service: VarlinkService
    private let eventLoop: any EventLoop
    let limits: Limits
    let scheduler: CallScheduler
    private var listeners: [any Channel] = []
    private var sockets: [ListeningSocket] = []
    private var connections: [ObjectIdentifier: Connection] = [:]

    /// A server that listens on nothing yet.
    public init(service: VarlinkService, on eventLoop: any EventLoop, limits: Limits = Limits()) {
        eventLoop.preconditionInEventLoop()
        self.service = service
        self.eventLoop = eventLoop
        self.limits = limits
        scheduler = CallScheduler(on: eventLoop)
    }

    /// How many connections there are.
    public var connectionCount: Int { connections.count }

    /// Listens on `path`, at most 107 bytes long.
    ///
    /// A socket file on which nobody listens is replaced. The file is removed by ``close()``.
    /// - Parameter mode: The file's, whatever the umask is.
    /// - Throws: EADDRINUSE when somebody listens there, or when it is no socket.
    public func listen(path: String, mode: UInt32) throws(SystemCallError) -> EventLoopFuture<Void> {
        let socket = try ListeningSocket(path: path, mode: mode, backlog: limits.backlog)
        sockets.append(socket)
        return listen(descriptor: socket.descriptor)
    }

    /// Listens on a bound Unix stream socket, such as one of ``ListenDescriptors``, and takes it over.
    public func listen(descriptor: CInt) -> EventLoopFuture<Void> {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        return ServerBootstrap(group: eventLoop)
            // Connections that are accepted at a time, before the loop looks after the others.
            .serverChannelOption(.maxMessagesPerRead, value: 8)
            .serverChannelInitializer { channel in
                // Out of descriptors, accept(2) would fail again and again: try once a second.
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.initialize(channel) }
            }
            .withBoundSocket(descriptor)
            .map { channel in
                // NIO has set it to 128; a burst of clients beyond it would be turned away with EAGAIN.
                Glibc.listen(descriptor, bound.value.limits.backlog)
                bound.value.listeners.append(channel)
            }
    }

    /// Stops listening; connections stay. Whoever connects to a socket that another process has open as well, as a
    /// service manager does, waits there for the next one that listens.
    public func stopListening() {
        for listener in listeners { listener.close(promise: nil) }
        listeners = []
    }

    /// Stops listening, closes every connection, and removes the socket files that it made; done when all that is.
    public func close() -> EventLoopFuture<Void> {
        sockets.forEach { $0.unlinkFile() }
        sockets = []
        for connection in connections.values { connection.close() }
        let closed = listeners.map { $0.close() } + connections.values.map(\.closeFuture)
        listeners = []
        return EventLoopFuture.andAllComplete(closed, on: eventLoop)
    }

    private func initialize(_ channel: any Channel) throws {
        let options = channel.syncOptions!
        // NIO keeps one such buffer for each connection that has ever sent something; it grows where much is sent.
        try options.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 256, maximum: 4096))
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(.allowRemoteHalfClosure, value: true)
        try options.setOption(.autoRead, value: false)
        try channel.pipeline.syncOperations.addHandler(ConnectionHandler(server: self))
    }

    // MARK: What connections tell

    func accepted(_ channel: any Channel) -> Connection? {
        let handle = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            $0
        }
        guard let handle, let peer = try? Peer(socket: handle) else { return nil }
        var size = limits.sendBuffer
        setsockopt(handle, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        let connection = Connection(channel: channel, descriptor: handle, peer: peer, server: self)
        connections[ObjectIdentifier(connection)] = connection
        onConnectionsChanged?()
        return connection
    }

    func admit(_ connection: Connection) {
        do throws(VarlinkError) {
            if try accept?(connection) ?? .admitted == .admitted { connection.admit() }
        } catch {
            connection.refuse(error)
        }
    }

    func disconnected(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        onClosed?(connection)
        onConnectionsChanged?()
    }
}
