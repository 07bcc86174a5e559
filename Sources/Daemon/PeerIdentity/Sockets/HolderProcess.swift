internal import AuthorizationPolicy
internal import CLinux
internal import Glibc
internal import Linux
internal import LocationModel

/// A process that holds sockets of its user, as it was when it was examined.
struct HolderProcess {
    /// A socket with the process and descriptor that hold it.
    typealias Held = (socket: SocketOrigin, holder: SocketSearch.Holder)

    /// The process.
    let descriptor: ProcessDescriptor
    private let app: Result<AppIdentity, IdentityRefusal>
    /// The inodes of the sockets that it still held under the same descriptors.
    private let inodes: Set<UInt32>
    /// The control groups of its unit where sockets were created.
    private let groups: Set<UInt64>

    /// Examines a process. Returns `nil` if it has ended.
    ///
    /// - Parameter uid: The user who created the sockets.
    init?(_ pid: pid_t, holding held: [Held], uid: UInt32) throws(IdentityRefusal) {
        let pidfd = process_open(pid)
        if pidfd == -ESRCH { return nil }
        // Attack: no descriptor is left for the process, and it is passed over as if it had ended.
        guard pidfd >= 0 else { throw .processUnreadable }
        descriptor = ProcessDescriptor(owning: pidfd)
        // From here on, either the descriptors that are read belong to this process, or it is not alive at the end.
        inodes = Set(held.map(\.socket.inode)).subtracting(
            held.filter { !SocketSearch.holds($0.holder, inode: $0.socket.inode) }.map(\.socket.inode))
        groups = Self.groups(of: pid, among: Set(held.map(\.socket.cgroupID)))
        app = Self.app(of: pid, pidfd, uid: uid)
        guard descriptor.isAlive else { return nil }
    }

    /// Returns the app that the process is, or the reason why it does not count as one for this socket.
    func app(holding socket: SocketOrigin) -> Result<AppIdentity, IdentityRefusal> {
        // Since the search, it has closed the socket or received another number for it. It may have passed the socket
        // on.
        guard inodes.contains(socket.inode) else { return .failure(.socketShared) }
        guard case .success = app else { return app }
        guard ControlGroupMount.root != nil else { return .failure(.controlGroupsUnreadable) }
        return groups.contains(socket.cgroupID) ? app : .failure(.socketOfAnotherUnit)
    }

    private static func groups(of pid: pid_t, among ids: Set<UInt64>) -> Set<UInt64> {
        guard let root = ControlGroupMount.root, let contents = ProcFile.contents("/proc/\(pid)/cgroup") else {
            return []
        }
        return ControlGroup(contents).groups(among: ids, root: root)
    }

    private static func app(of pid: pid_t, _ pidfd: CInt, uid: UInt32) -> Result<AppIdentity, IdentityRefusal> {
        do throws(IdentityRefusal) {
            guard let uids = try? ProcFile.uids("/proc/\(pid)") else { throw .processUnreadable }
            guard uids.allSatisfy({ $0 == uid }) else { throw .socketOfSeveralUsers }
            return .success(try ProcessReader(pidfd: pidfd).identity(uid: uid))
        } catch {
            return .failure(error)
        }
    }
}
