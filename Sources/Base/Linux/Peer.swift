internal import CLinux
internal import Glibc

/// The process that made a connection, as the kernel recorded it at that moment (SO_PEERCRED, SO_PEERPIDFD: unix(7)).
///
/// The process may have ended since then, and its ID may belong to another process. To rule that out, first read
/// everything about the process, then check that ``pidfd`` is still alive (pidfd_open(2)).
public struct Peer {
    /// The ID of the process.
    public let pid: Int32
    /// The effective user ID of the process.
    public let uid: UInt32
    /// The effective group ID of the process.
    public let gid: UInt32
    /// The process itself, or `nil` if the kernel does not have SO_PEERPIDFD (before Linux 6.5).
    public var pidfd: ProcessDescriptor?

    /// Reads the peer of a connected socket.
    ///
    /// - Throws: ESRCH or EINVAL if the process has already ended.
    package init(socket: CInt) throws(SystemCallError) {
        var credentials = peer_credentials()
        let status = peer_credentials(socket, &credentials)
        guard status == 0 else { throw SystemCallError("getsockopt(SO_PEERCRED)", status) }
        pid = credentials.pid
        uid = credentials.uid
        gid = credentials.gid
        let descriptor = peer_pidfd(socket)
        if descriptor >= 0 {
            pidfd = ProcessDescriptor(owning: descriptor)
        } else if descriptor == -ENOPROTOOPT {
            pidfd = nil
        } else {
            throw SystemCallError("getsockopt(SO_PEERPIDFD)", -descriptor)
        }
    }
}
