internal import AuthorizationPolicy
package import EventLoopSupport
internal import Glibc
internal import JSON
internal import Linux
package import LocationCore
package import LocationModel
package import NIOCore
internal import PeerIdentity

/// A server of gpsd's protocol, on TCP of this machine and on Unix sockets. Confined to the event loop.
package final class GPSDServer {
    /// SO_SNDBUF and SO_RCVBUF, in bytes. The kernel doubles the values.
    ///
    /// Attack: a client that does not read, or that sends without end, makes the kernel keep megabytes for each of its
    /// connections, as TCP does by default.
    static let socketBuffer: CInt = 16_384
    /// The numbers of connections that may wait to be accepted, as in listen(2). A client of TCP that finds the queue
    /// full is not refused, but tries again after seconds: ``StreamListener``.
    package static let backlog: (unix: CInt, tcp: CInt) = (unix: 16, tcp: 4096)

    let core: Core
    let clock: () -> Timestamp
    /// The greeting.
    let version = ByteBuffer(line: { $0.version() })
    let encoder: EpochEncoder
    private let receiverDevices: ReceiverDevices
    private var observation: Changes.Observation?
    private let sockets: StreamSockets
    private var listeners: [StreamListener] = []
    private var connections: [ObjectIdentifier: GPSDConnection] = [:]

    private let ownProcess: Int32

    /// Creates a server that does not listen yet.
    ///
    /// - Parameter ownProcess: The ID of this process, which is not served: its configuration names its own port as the
    ///   source of a receiver.
    package init(
        _ core: Core, in sockets: StreamSockets, clock: @escaping () -> Timestamp, ownProcess: Int32 = getpid()
    ) {
        sockets.eventLoop.preconditionInEventLoop()
        self.ownProcess = ownProcess
        self.core = core
        self.sockets = sockets
        self.clock = clock
        let receiverDevices = ReceiverDevices(core.receivers, clock: clock)
        self.receiverDevices = receiverDevices
        encoder = EpochEncoder { receiverDevices.list }
        observation = core.changes.observe([.receivers]) { [weak self] in self?.receiversChanged() }
        // The first query about a TCP socket may make the kernel load a module.
        TCPSocketOwner.prepare()
    }

    var eventLoop: any EventLoop { sockets.eventLoop }

    /// The number of open connections.
    package var connectionCount: Int { connections.count }

    /// The present devices.
    var devices: DeviceList { receiverDevices.list }

    // MARK: Listening

    /// Listens on a bound stream socket, of TCP or Unix, and takes ownership of it.
    package func listen(descriptor: CInt) {
        // A unit of systemd has one queue length for all its sockets, the one for TCP.
        let backlog = StreamListener.isUnix(descriptor) ? Self.backlog.unix : Self.backlog.tcp
        listeners.append(
            StreamListener(descriptor, backlog: backlog, in: sockets) { [unowned self] in accepted($0) })
    }

    /// Stops listening. Connections stay open.
    package func stopListening() {
        for listener in listeners { listener.close() }
        listeners = []
    }

    /// Stops listening and closes every connection. The future succeeds when everything is closed.
    package func close() -> EventLoopFuture<Void> {
        observation?.end()
        stopListening()
        for connection in connections.values { connection.close() }
        // After the callbacks of the connections.
        return eventLoop.submit {}
    }

    // MARK: Connection events

    /// Serves a connection. If its owner cannot be identified, it gets an error and is closed.
    ///
    /// The kernel forgets a TCP socket that is closed, so the owner is determined at once.
    private func accepted(_ descriptor: CInt) {
        let socket = StreamSocket(descriptor, in: sockets)
        let peer: ConnectionPeer
        do throws(IdentityRefusal) { peer = try ConnectionPeer(of: descriptor) } catch {
            _ = socket.send(ByteBuffer(line: { $0.error("not permitted: \(error)") }))
            return core.peers.noteRefusal(error)
        }
        guard core.peers.mayConnect(peer.uid) else { return }
        var size = Self.socketBuffer
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        let connection = GPSDConnection(socket: socket, peer: peer, server: self)
        connections[ObjectIdentifier(connection)] = connection
        socket.start()
        core.changes.report(.connections)
        admit(connection)
    }

    /// Identifies the app that made a connection, and then admits or refuses the connection.
    private func admit(_ connection: GPSDConnection) {
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
        core.changes.report(.connections)
    }

    // MARK: Devices

    private func receiversChanged() {
        let before = devices
        receiverDevices.update()
        for change in devices.changes(since: before) {
            for connection in connections.values {
                connection.conversation?.receive(change: change.line, of: change.path)
            }
        }
    }
}

extension AdmissionRefusal {
    /// The reason that the client is sent.
    fileprivate var message: String {
        switch self {
        case .permissionDenied: "the program at the other end cannot be identified; the daemon's log says why"
        case .limitExceeded(let limit): "too many connections (\(limit))"
        }
    }
}
