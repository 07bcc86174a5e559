/// A TCP socket, as the kernel recorded it when it was created.
public struct SocketOrigin: Hashable, Sendable {
    /// The number of the socket's inode.
    public let inode: UInt32
    /// The ID of the control group in which the socket was created.
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
}
