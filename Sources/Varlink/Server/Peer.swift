import CLinux
import Glibc

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

/// A pidfd that is closed with its last reference.
public final class ProcessDescriptor: Sendable {
    /// Valid as long as this object lives. Readable once the process has ended.
    public let descriptor: CInt

    /// Takes over `descriptor`.
    public init(owning descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Whether the process has not ended yet.
    public var isAlive: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 0
    }
}

/// A system call that failed.
public struct SystemCallError: Error, Hashable, CustomStringConvertible {
    /// What was called, with its object where it has one: `bind(/run/example)`.
    public let call: String
    /// Why it failed.
    public let errno: CInt

    init(_ call: String, _ errno: CInt) {
        self.call = call
        self.errno = errno
    }

    /// `bind(/run/example): Permission denied`
    public var description: String { "\(call): \(String(cString: strerror(errno)))" }
}
