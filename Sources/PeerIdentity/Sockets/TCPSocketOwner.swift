/// The owner of the TCP socket at the other end of a connection of this machine, as the kernel recorded it when the
/// socket was created.
public struct TCPSocketOwner: Hashable, Sendable {
    /// The connection, seen from the other end.
    public let connection: TCPConnection
    /// The user who created the socket.
    public let uid: UInt32
    /// The number of the socket's inode, as in `socket:[N]`, proc(5). It can be another socket's later.
    public let inode: UInt32
    /// The number that the kernel gives to this socket and to no other while it runs.
    public let cookie: UInt64
    /// The id of the control group in which the socket was created, in the unified hierarchy.
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
