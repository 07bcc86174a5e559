public import AuthorizationPolicy
internal import CLinux
internal import Glibc
public import Linux
public import LocationModel

/// The processes that hold a TCP socket, and the app that all of them are.
///
/// The kernel tells who created a socket, and not who uses it. So an app is who holds it, under these conditions:
///
/// * Attack: an app without a grant passes its socket to a granted one (SCM_RIGHTS), or starts a granted program that
///   inherits it, and reads on itself. So all holders must be the same app.
/// * Attack: it hides its own copy, in a message that nobody has received yet or in a thread with descriptors of its
///   own, until the granted app holds the only one that shows. So the socket must have been created in the unit of
///   each holder: a sandboxed app or a service cannot borrow another's name. Apps of one user without a sandbox can,
///   as they can in other ways (ptrace(2)).
/// * Attack: a holder ends, and its ID is given to a process of another app before that is identified. So its pidfd
///   is opened first, then the link of the descriptor is read once more, and the process must be alive after that.
/// * Attack: an app starts a program with the set-user-ID bit, which inherits the socket. So all rights of a holder
///   must be those of the user who created the socket.
///
/// What forwards a connection (socat, ssh -L, a container engine) is the app, and answers for its own clients.
public struct SocketHolders: Sendable {
    /// The app.
    public let app: AppIdentity
    /// The processes, which were alive and held the socket: from one to ``maximumCount``.
    public let processes: [ProcessDescriptor]

    /// The maximum number of processes that hold a socket. Each of them is watched, which takes a descriptor.
    public static let maximumCount = 8

    /// Creates the result of a search that was made elsewhere.
    public init(app: AppIdentity, processes: [ProcessDescriptor]) {
        self.app = app
        self.processes = processes
    }

    /// Finds the holders of a socket. May block for as long as a file system takes.
    ///
    /// - Parameters:
    ///   - inode: The number of the socket's inode.
    ///   - uid: The user who created the socket.
    ///   - cgroupID: The ID of the control group in which it was created.
    public init(ofInode inode: UInt32, uid: UInt32, cgroupID: UInt64) throws(IdentityRefusal) {
        try self.init(ofInode: inode, uid: uid, cgroupID: cgroupID, limits: SocketSearch.Limits())
    }

    /// Finds the holders within the limits of a search.
    init(ofInode inode: UInt32, uid: UInt32, cgroupID: UInt64, limits: SocketSearch.Limits) throws(IdentityRefusal) {
        var app: AppIdentity?
        var processes: [ProcessDescriptor] = []
        for holder in try SocketSearch.holders(ofInode: inode, uid: uid, limits: limits) {
            let pidfd = process_open(holder.pid)
            guard pidfd >= 0 else { continue }
            let process = ProcessDescriptor(owning: pidfd)
            let found: AppIdentity
            do throws(IdentityRefusal) {
                try Self.check(holder, holds: inode, uid: uid, cgroupID: cgroupID)
                found = try ProcessReader(pidfd: pidfd).identity(uid: uid)
            } catch {
                // A process that has ended holds nothing any more.
                guard process.isAlive else { continue }
                throw error
            }
            guard app ?? found == found else { throw .socketShared }
            app = found
            processes.append(process)
        }
        guard let app else { throw .socketNotHeld }
        self.app = app
        self.processes = processes
    }

    /// Checks what holds for each holder alone. The caller has its pidfd, and checks afterwards that it is alive.
    private static func check(
        _ holder: SocketSearch.Holder, holds inode: UInt32, uid: UInt32, cgroupID: UInt64
    ) throws(IdentityRefusal) {
        // It has closed the socket since it was found, or has another number for it: perhaps it has passed it on.
        guard SocketSearch.holds(holder, inode: inode) else { throw .socketShared }
        guard let uids = ProcFile.uids(of: holder.pid), uids.allSatisfy({ $0 == uid }) else {
            throw .socketOfSeveralUsers
        }
        guard let root = ControlGroupMount.root, let groups = ProcFile.contents("/proc/\(holder.pid)/cgroup"),
            let place = ControlGroupPlace(groups), place.sharesUnit(withGroup: cgroupID, root: root)
        else { throw .socketOfAnotherUnit }
    }
}
