internal import CLinux
package import EventLoopSupport
import Glibc
public import Linux
public import NIOCore

/// A server for a ``VarlinkService`` on Unix sockets.
///
/// Confined to a single event loop: create it and use it there.
public final class VarlinkServer {
    /// The limits on connections.
    public struct Limits: Sendable {
        /// The maximum size of a frame, in bytes. A larger frame is answered with InvalidParameter (`message`), and
        /// the connection is closed. The buffered input of a connection has the same limit. Default: 64 KiB.
        public var frameSize = 65_536
        /// The maximum nesting depth of JSON. Deeper JSON is answered with InvalidParameter (`message`). Default: 32.
        public var depth = 32
        /// The maximum total size of replies that wait for the peer to read, in bytes. Exceeding it closes the
        /// connection. No further call is read until all replies have been sent. Default: 64 KiB.
        public var unsentBytes = 65_536
        /// The amount that the kernel buffers for a peer that does not read (SO_SNDBUF), in bytes. The kernel doubles
        /// the value. Default: 16 KiB.
        public var sendBuffer: CInt = 16_384
        /// The number of connections that may wait to be accepted, as in listen(2). A client that opens a flood of
        /// connections fills this backlog, and every other client waits until the flood has been accepted. Default:
        /// 4096.
        public var backlog: CInt = 4096
        /// The timeout for the call that a refused connection has to make to receive its error. Default: 10 s.
        public var refusalTime: TimeAmount = .seconds(10)

        /// Creates the default limits.
        public init() {}
    }

    /// The decision about a new connection.
    public enum Admission: Sendable {
        /// The connection is admitted, and its calls are handled.
        case admitted
        /// ``Connection/admit()`` or ``Connection/refuse(_:)`` follows. Until then, nothing is read from the
        /// connection.
        case pending
    }

    /// A closure that is called with the user ID of each new connection before anything is set up for it. It returns
    /// whether the connection is handled; otherwise the connection is closed at once.
    public var admitsUser: ((UInt32) -> Bool)?

    /// A closure that decides about each new connection by limits and identity, before any call is read. A thrown error
    /// refuses the connection: the first call is answered with the error, and then the connection is closed.
    public var accept: ((Connection) throws(VarlinkError) -> Admission)?

    /// A closure that is called on the event loop when a connection that was passed to ``accept`` has closed, once for
    /// each. It is called after the current call's ``AnyCall/whenEnded(_:)``.
    public var onClosed: ((Connection) -> Void)?

    /// A closure that is called after a connection was accepted, and after one has closed and ``onClosed`` was called.
    public var onConnectionsChanged: (() -> Void)?

    let service: VarlinkService
    private let eventLoop: any EventLoop
    let limits: Limits
    let turns: TurnScheduler
    /// The threads of the sockets. `nil` if none were given and the server does not listen yet.
    private var sockets: StreamSockets?
    private let ownsSockets: Bool
    private var listeners: [StreamListener] = []
    private var files: [ListeningSocket] = []
    private var connections: [ObjectIdentifier: Connection] = [:]

    /// Creates a server, which does not listen yet.
    public convenience init(service: VarlinkService, on eventLoop: any EventLoop, limits: Limits = Limits()) {
        self.init(
            service: service, on: eventLoop, limits: limits, turns: TurnScheduler(on: eventLoop), sockets: nil)
    }

    /// Creates a server, which does not listen yet. Its connections take turns with the connections of other servers.
    ///
    /// - Parameter sockets: The threads to share with others, or `nil` for threads of its own.
    package init(
        service: VarlinkService, on eventLoop: any EventLoop, limits: Limits, turns: TurnScheduler,
        sockets: StreamSockets?
    ) {
        eventLoop.preconditionInEventLoop()
        self.service = service
        self.eventLoop = eventLoop
        self.limits = limits
        self.turns = turns
        self.sockets = sockets
        ownsSockets = sockets == nil
    }

    /// The number of open connections.
    public var connectionCount: Int { connections.count }

    /// Listens on `path`, which may be at most 107 bytes long.
    ///
    /// A socket file without a listening process is replaced. ``close()`` removes the file.
    ///
    /// - Parameter mode: The mode of the file, regardless of the umask.
    /// - Throws: EADDRINUSE if a process listens on the path, or if the file there is not a socket.
    public func listen(path: String, mode: UInt32) throws(SystemCallError) -> EventLoopFuture<Void> {
        let socket = try ListeningSocket(path: path, mode: mode, backlog: limits.backlog)
        files.append(socket)
        return listen(descriptor: socket.descriptor)
    }

    /// Listens on a bound Unix stream socket, such as one from ``ListenDescriptors``, and takes ownership of it.
    ///
    /// If it listens already, it listens again, so that its queue is as long as the limits say, whatever the service
    /// manager has set. Clients that ask who listens (SO_PEERCRED) then read the credentials of this process, and no
    /// longer those of the service manager: that suits a client that asks whose service it is.
    public func listen(descriptor: CInt) -> EventLoopFuture<Void> {
        do throws(SystemCallError) {
            let sockets = try openSockets()
            listeners.append(
                StreamListener(
                    descriptor, backlog: limits.backlog, in: sockets,
                    admits: { [unowned self] in admits($0) }, onAccept: { [unowned self] in accepted($0, in: sockets) })
            )
            return eventLoop.makeSucceededVoidFuture()
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
    }

    private func openSockets() throws(SystemCallError) -> StreamSockets {
        if let sockets { return sockets }
        let sockets = try StreamSockets(on: eventLoop)
        self.sockets = sockets
        return sockets
    }

    /// Stops listening. Connections stay open.
    ///
    /// If another process, such as a service manager, has the socket open too, new clients wait there for the next
    /// process that listens.
    public func stopListening() {
        for listener in listeners { listener.close() }
        listeners = []
    }

    /// Stops listening, closes every connection, and removes the socket files that the server created. The future
    /// succeeds when everything is closed.
    public func close() -> EventLoopFuture<Void> {
        files.forEach { $0.unlinkFile() }
        files = []
        stopListening()
        for connection in connections.values { connection.close() }
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        // After the callbacks of the connections.
        return eventLoop.submit {
            if bound.value.ownsSockets { bound.value.sockets?.stop() }
        }
    }

    // MARK: Connection events

    private func admits(_ descriptor: CInt) -> Bool {
        guard let admitsUser else { return true }
        var credentials = peer_credentials()
        return peer_credentials(descriptor, &credentials) == 0 && admitsUser(credentials.uid)
    }

    private func accepted(_ descriptor: CInt, in sockets: StreamSockets) {
        let socket = StreamSocket(descriptor, in: sockets)
        // Without a peer: the process has ended.
        guard let peer = try? Peer(socket: descriptor) else { return }
        var size = limits.sendBuffer
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        let connection = Connection(socket: socket, peer: peer, server: self)
        connections[ObjectIdentifier(connection)] = connection
        socket.start()
        onConnectionsChanged?()
        admit(connection)
    }

    private func admit(_ connection: Connection) {
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
