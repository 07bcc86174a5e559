import CLinux
import Glibc
public import Linux

/// Who made a connection, as the kernel recorded it at that moment (SO_PEERCRED, SO_PEERPIDFD: unix(7)).
///
/// The process may have ended since and another one have its id; only a ``pidfd`` that is still alive after
/// everything has been read that is to be believed rules that out (pidfd_open(2)).
public struct Peer {
    /// The process.
    public let pid: Int32
    /// Its effective user.
    public let uid: UInt32
    /// Its effective group.
    public let gid: UInt32
    /// The process itself; `nil` where the kernel has no SO_PEERPIDFD (before Linux 6.5).
    public var pidfd: ProcessDescriptor?

    /// Throws the errno: ESRCH or EINVAL when the process is gone already.
    init(socket: CInt) throws(SystemCallError) {
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
