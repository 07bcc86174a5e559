public import AuthorizationPolicy
internal import CLinux

extension TCPSocketOwner {
    /// Has the kernel load what it needs to answer, which may take some milliseconds the first time. To be called
    /// once, before connections are accepted.
    public static func prepare() {
        let nowhere = TCPConnection.End(address: [0, 0, 0, 0], port: 0)
        _ = ask(SocketQuery(connection: TCPConnection(local: nowhere, remote: nowhere)))
    }

    /// Asks the kernel who created the socket at the other end of a connection.
    ///
    /// To be called when the connection was just accepted: the kernel remembers nothing about a socket that was
    /// closed. Takes some microseconds and does not block.
    ///
    /// - Parameter socket: The descriptor of this end.
    /// - Throws: ``IdentityRefusal/socketElsewhere`` if no connected socket of this network namespace is at the other
    ///   end.
    public init(ofPeerOf socket: Int32) throws(IdentityRefusal) {
        guard let connection = TCPConnection(ofPeerOf: socket),
            let owner = Self.ask(SocketQuery(connection: connection))
        else { throw .socketElsewhere }
        self = owner
    }

    /// Returns whether the socket is still connected.
    ///
    /// Attack: the socket is closed, and the number of its inode passes to a socket of another app before the
    /// processes that hold it are found. The kernel counts these numbers in 32 bits. The cookie is never used again,
    /// so while the same socket is connected, its inode is its own.
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
