internal import AuthorizationPolicy
internal import CLinux
internal import Glibc
internal import Linux
internal import LocationModel
internal import PeerIdentity

/// Examines the processes behind connections, which may be other users', and reaches apps' sockets as their users.
protocol PeerIdentifying: Sendable {
    /// Returns the app of a user's process.
    func identity(of process: ProcessDescriptor, uid: uid_t) throws(IdentityRefusal) -> AppIdentity
    /// Returns for each socket the app whose processes hold it, and these processes. One user has created all of them.
    /// There are at least one and at most ``PeersRequest/maximumSockets``, and the first is never postponed.
    func holders(of sockets: [SocketOrigin], uid: uid_t) throws(IdentityRefusal) -> [SocketHolders.Outcome]
    /// Returns the login that the process belongs to, or `nil` if it belongs to none.
    func loginOwner(of process: ProcessDescriptor) throws(Login.Failure) -> Login.Owner?
    /// Returns the file that the process runs, or `nil` if that cannot be determined.
    func executable(of process: ProcessDescriptor) -> String?
    /// Returns the time when the process started, in clock ticks since the boot, or `nil` if that cannot be
    /// determined.
    func startTime(of process: ProcessDescriptor) -> UInt64?
    /// Returns whether the process is in a sandbox or a container, or may be.
    func isConfined(_ process: ProcessDescriptor) -> Bool
    /// Checks the socket at `path` for an app of a user and, if there is a line, writes the line to it. May block;
    /// may be called on any thread.
    func wake(_ path: String, of uid: uid_t, line: [UInt8]?) throws(WakeRefusal)
}

/// Examines processes with the daemon's own rights: as root all processes, otherwise its own user's.
struct OwnPeerIdentifier: PeerIdentifying {
    func identity(of process: ProcessDescriptor, uid: uid_t) throws(IdentityRefusal) -> AppIdentity {
        try ProcessReader(pidfd: process.descriptor).identity(uid: uid)
    }

    func holders(of sockets: [SocketOrigin], uid: uid_t) throws(IdentityRefusal) -> [SocketHolders.Outcome] {
        SocketHolders.find(sockets, uid: uid)
    }

    func loginOwner(of process: ProcessDescriptor) throws(Login.Failure) -> Login.Owner? {
        try (try? ProcessReader(pidfd: process.descriptor))?.loginOwner()
    }

    func executable(of process: ProcessDescriptor) -> String? {
        (try? ProcessReader(pidfd: process.descriptor))?.executable
    }

    func startTime(of process: ProcessDescriptor) -> UInt64? {
        (try? ProcessReader(pidfd: process.descriptor))?.startTime
    }

    func isConfined(_ process: ProcessDescriptor) -> Bool {
        (try? ProcessReader(pidfd: process.descriptor))?.isConfined ?? true
    }

    func wake(_ path: String, of uid: uid_t, line: [UInt8]?) throws(WakeRefusal) {
        try WakeSocket.attempt(path, of: uid, line: line)
    }
}
