internal import AuthorizationPolicy
internal import EventLoopSupport
internal import Glibc
internal import JSON
internal import Linux
package import LocationCore
package import LocationModel
package import NIOCore
internal import NIOPosix
internal import PeerIdentity

/// A server of gpsd's protocol, on TCP of this machine and on Unix sockets. Confined to the event loop.
package final class GPSDServer {
    /// SO_SNDBUF and SO_RCVBUF, in bytes. The kernel doubles the values.
    ///
    /// Attack: a client that does not read, or that sends without end, has the kernel keep megabytes for each of its
    /// connections, as TCP does by itself.
    static let socketBuffer: CInt = 16_384
    /// The number of connections that may wait to be accepted, as in listen(2).
    package static let backlog: CInt = 4096

    /// Called when a connection has been accepted, and when one has closed.
    package var onConnectionsChanged: (() -> Void)?

    let core: Core
    let eventLoop: any EventLoop
    let clock: () -> Timestamp
    /// The greeting.
    let version = ByteBuffer(line: { $0.version() })
    let encoder: EpochEncoder
    private let deviceWatch: DeviceWatch
    private var listeners: [any Channel] = []
    private var connections: [ObjectIdentifier: GPSDConnection] = [:]

    private let ownProcess: Int32

    /// Creates a server that does not listen yet.
    ///
    /// - Parameter ownProcess: The id of this process, which is not served: its configuration names the port on which
    ///   it listens as the place of a receiver.
    package init(
        _ core: Core, on eventLoop: any EventLoop, clock: @escaping () -> Timestamp, ownProcess: Int32 = getpid()
    ) {
        eventLoop.preconditionInEventLoop()
        self.ownProcess = ownProcess
        self.core = core
        self.eventLoop = eventLoop
        self.clock = clock
        let deviceWatch = DeviceWatch(core.receivers, clock: clock)
        self.deviceWatch = deviceWatch
        encoder = EpochEncoder { deviceWatch.list }
        deviceWatch.onChange = { [weak self] in self?.devicesChanged(from: $0) }
        // The first question about a TCP socket may make the kernel load a module.
        TCPSocketOwner.prepare()
    }

    /// The number of open connections.
    package var connectionCount: Int { connections.count }

    /// The present devices.
    var devices: DeviceList { deviceWatch.list }

    // MARK: Listening

    /// Listens on a bound stream socket, of TCP or Unix, and takes ownership of it.
    package func listen(descriptor: CInt) -> EventLoopFuture<Void> {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        return ServerBootstrap(group: eventLoop)
            // The number of connections that are accepted in a row before the loop attends to the others.
            .serverChannelOption(.maxMessagesPerRead, value: 8)
            .serverChannelInitializer { channel in
                // With no free descriptors, accept(2) would fail again and again: retry once a second.
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.initialize(channel) }
            }
            .withBoundSocket(descriptor)
            .map { channel in
                // NIO has set the backlog to 128. In a burst, clients beyond it would be turned away.
                Glibc.listen(descriptor, Self.backlog)
                bound.value.listeners.append(channel)
            }
    }

    /// Stops listening. Connections stay open.
    package func stopListening() {
        for listener in listeners { listener.close(promise: nil) }
        listeners = []
    }

    /// Stops listening and closes every connection. The future succeeds when everything is closed.
    package func close() -> EventLoopFuture<Void> {
        deviceWatch.end()
        for connection in connections.values { connection.close() }
        let closed = listeners.map { $0.close() } + connections.values.map(\.closeFuture)
        listeners = []
        return EventLoopFuture.andAllComplete(closed, on: eventLoop)
    }

    private func initialize(_ channel: any Channel) throws {
        let options = channel.syncOptions!
        // NIO keeps one such buffer for each connection that has ever sent data. The buffer grows if much is sent.
        try options.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 256, maximum: 4096))
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(.autoRead, value: false)
        try options.setOption(.allowRemoteHalfClosure, value: true)
        try channel.pipeline.syncOperations.addHandler(ConnectionHandler(server: self))
    }

    // MARK: Connection events

    /// Returns the connection of a channel, or `nil` if it is not known whose the other end is.
    ///
    /// The kernel forgets a TCP socket that is closed, so it is asked at once.
    func accepted(_ channel: any Channel) -> GPSDConnection? {
        let handle = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            $0
        }
        guard let handle else { return nil }
        let peer: ConnectionPeer
        do throws(IdentityRefusal) { peer = try ConnectionPeer(of: handle) } catch {
            core.peers.noteRefusal(error)
            return nil
        }
        var size = Self.socketBuffer
        setsockopt(handle, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        setsockopt(handle, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        let connection = GPSDConnection(channel: channel, descriptor: handle, peer: peer, server: self)
        connections[ObjectIdentifier(connection)] = connection
        onConnectionsChanged?()
        return connection
    }

    /// Identifies the app that made a connection. Once the app is known, the connection is admitted or refused.
    func admit(_ connection: GPSDConnection) {
        do throws(AdmissionRefusal) {
            try core.peers.admit(connection) { [core, ownProcess] app in
                switch app {
                case .success where core.peers.processID(of: connection) == ownProcess:
                    connection.refuse("locationd cannot be its own receiver")
                case .success(let app): connection.admit(app)
                case .failure(let refusal): connection.refuse(refusal.message)
                }
            }
        } catch {
            connection.refuse(error.message)
        }
        connection.forgetDescriptor()
    }

    func disconnected(_ connection: GPSDConnection) {
        connections[ObjectIdentifier(connection)] = nil
        core.peers.closed(connection)
        onConnectionsChanged?()
    }

    // MARK: Devices

    private func devicesChanged(from before: DeviceList) {
        for change in devices.changes(since: before) {
            for connection in connections.values {
                connection.conversation?.receive(change: change.line, of: change.path)
            }
        }
    }
}

extension AdmissionRefusal {
    /// The reason as the client is told it.
    fileprivate var message: String {
        switch self {
        case .permissionDenied: "the program at the other end cannot be identified; the daemon's log says why"
        case .limitExceeded(let limit): "too many connections (\(limit))"
        }
    }
}
