public import AuthorizationPolicy
internal import CLinux

/// The owner of the TCP socket at the other end of a connection of this machine, as the kernel recorded it when the
/// socket was created.
public struct TCPSocketOwner: Hashable, Sendable {
    /// The connection, seen from the other end.
    public let connection: TCPConnection
    /// The user who created the socket.
    public let uid: UInt32
    /// The number of the socket's inode, as in `socket:[N]`, proc(5). A later socket can have it again.
    public let inode: UInt32
    /// The number that the kernel gives to this socket, and to no other until the next boot.
    public let cookie: UInt64
    /// The id of the control group where the socket was created, in the unified hierarchy.
    public let cgroupID: UInt64

    /// Creates the record of a socket.
    public init(connection: TCPConnection, uid: UInt32, inode: UInt32, cookie: UInt64, cgroupID: UInt64) {
        self.connection = connection
        self.uid = uid
        self.inode = inode
        self.cookie = cookie
        self.cgroupID = cgroupID
    }
}

/// A TCP socket, as the kernel recorded it when it was created.
public struct SocketOrigin: Hashable, Sendable {
    /// The number of the socket's inode.
    public let inode: UInt32
    /// The ID of the control group where the socket was created.
    public let cgroupID: UInt64

    /// Creates the record of a socket.
    public init(inode: UInt32, cgroupID: UInt64) {
        self.inode = inode
        self.cgroupID = cgroupID
    }
}

extension TCPSocketOwner {
    /// The socket, without its connection and user.
    public var origin: SocketOrigin { SocketOrigin(inode: inode, cgroupID: cgroupID) }

    /// Makes the kernel load the modules that it needs for an answer, which may take some milliseconds the first time.
    /// Call it once, before connections are accepted.
    public static func prepare() {
        let nowhere = TCPConnection.End(address: [0, 0, 0, 0], port: 0)
        _ = ask(SocketQuery(connection: TCPConnection(local: nowhere, remote: nowhere)))
    }

    /// Asks the kernel who created the socket at the other end of a connection.
    ///
    /// Call it when the connection has just been accepted: the kernel forgets a socket that is closed. Takes some
    /// microseconds and does not block.
    ///
    /// - Parameter socket: The descriptor of this end.
    /// - Throws: ``IdentityRefusal/socketElsewhere`` if no connected socket of this network namespace is at the other
    ///   end.
    public init(ofPeerOf socket: Int32) throws(IdentityRefusal) {
        guard let connection = TCPConnection(ofPeerOf: socket) else { throw .socketElsewhere }
        try self.init(of: connection)
    }

    /// Asks the kernel who created the socket at the local end of a connection, as ``init(ofPeerOf:)`` does.
    public init(of connection: TCPConnection) throws(IdentityRefusal) {
        guard let owner = Self.ask(SocketQuery(connection: connection)) else { throw .socketElsewhere }
        self = owner
    }

    /// Returns whether the socket is still connected.
    ///
    /// Attack: the socket is closed, and the number of its inode passes to a socket of another app before the processes
    /// that hold it are found. The kernel counts these numbers in 32 bits. It never uses a cookie again, so while the
    /// same socket is connected, its inode is its own.
    public var isConnected: Bool {
        Self.ask(SocketQuery(connection: connection, cookie: cookie)) == self
    }

    private static func ask(_ query: SocketQuery) -> TCPSocketOwner? {
        let request = query.bytes
        var port: UInt32 = 0
        let answer = [UInt8](unsafeUninitializedCapacity: SocketQuery.maximumAnswerLength) { buffer, count in
            count = max(0, sock_diag_ask(request, request.count, buffer.baseAddress, buffer.count, &port))
        }
        return query.owner(in: answer, port: port)
    }
}
