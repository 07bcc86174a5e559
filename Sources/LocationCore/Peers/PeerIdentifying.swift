internal import AuthorizationPolicy
internal import CLinux
internal import Glibc
internal import Linux
internal import LocationModel
internal import PeerIdentity

/// Looks at the processes behind connections, which may be other users', and reaches apps' sockets as their users.
protocol PeerIdentifying: Sendable {
    /// Which app the process of that user is.
    func identity(of process: ProcessDescriptor, uid: uid_t) throws(IdentityRefusal) -> AppIdentity
    /// The login that keeps the process; `nil` where none does.
    func loginOwner(of process: ProcessDescriptor) throws(Login.Failure) -> Login.Owner?
    /// The file that the process runs; `nil` where that cannot be told.
    func executable(of process: ProcessDescriptor) -> String?
    /// Checks the socket at `path` for an app of that user and, where there is a line, writes that. May block; to be
    /// called on any thread.
    func wake(_ path: String, of uid: uid_t, line: [UInt8]?) throws(WakeRefusal)
}

/// With the daemon's own rights: as root of all processes, else of its own user's.
struct OwnPeerIdentifier: PeerIdentifying {
    func identity(of process: ProcessDescriptor, uid: uid_t) throws(IdentityRefusal) -> AppIdentity {
        try ProcessReader(pidfd: process.descriptor).identity(uid: uid)
    }

    func loginOwner(of process: ProcessDescriptor) throws(Login.Failure) -> Login.Owner? {
        try (try? ProcessReader(pidfd: process.descriptor))?.loginOwner()
    }

    func executable(of process: ProcessDescriptor) -> String? {
        (try? ProcessReader(pidfd: process.descriptor))?.executable
    }

    func wake(_ path: String, of uid: uid_t, line: [UInt8]?) throws(WakeRefusal) {
        try WakeSocket.attempt(path, of: uid, line: line)
    }
}
