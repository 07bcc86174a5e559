public import AuthorizationPolicy
public import Linux
public import LocationModel

/// The processes that hold a TCP socket, and the app that all of them are.
///
/// The kernel reports who created a socket, not who uses it. So the app of a socket is the app that holds it, under
/// these conditions:
///
/// - Attack: an app without a grant passes its socket to a granted one (SCM_RIGHTS), or starts a granted program that
///   inherits it, and keeps reading itself. So all holders must be the same app.
/// - Attack: it hides its own copy, in a message that has not been received yet or in a thread with descriptors of its
///   own, until the granted app holds the only visible copy. So the socket must have been created in the unit of each
///   holder: a sandboxed app or a service cannot borrow another's name. Apps of one user without a sandbox can, as they
///   can in other ways (ptrace(2)).
/// - Attack: a holder ends, and its ID is given to a process of another app before the holder is identified. So its
///   pidfd is opened first, then the link of the descriptor is read once more, and the process must be alive after
///   that.
/// - Attack: an app starts a program with the set-user-ID bit, which inherits the socket. So all rights of a holder
///   must be those of the user who created the socket.
///
/// A program that forwards connections (socat, ssh -L, a container engine) is the app, and answers for its own clients.
public struct SocketHolders: Sendable {
    /// The app.
    public let app: AppIdentity
    /// The processes, from one to ``maximumCount``. They were alive and held the socket.
    public let processes: [ProcessDescriptor]

    /// The maximum number of processes that hold a socket. Watching each of them takes a descriptor.
    public static let maximumCount = 8

    /// Creates the result of a search that was made elsewhere.
    public init(app: AppIdentity, processes: [ProcessDescriptor]) {
        self.app = app
        self.processes = processes
    }

    /// The outcome of the search for the holders of one socket.
    public enum Outcome: Sendable {
        /// The holders.
        case found(SocketHolders)
        /// The socket has no app, for this reason.
        case refused(IdentityRefusal)
        /// The socket was not examined, because the sockets before it are held by too many processes.
        case postponed
    }

    /// Finds the holders of sockets that one user has created. May block for as long as a file system takes.
    ///
    /// All sockets cost one search: a process with a thousand connections has each of its descriptors read once, not a
    /// thousand times. Attack: each socket is held by different processes, and the caller runs out of descriptors for
    /// them. So at most ``maximumCount`` processes are examined. The first socket is never postponed.
    ///
    /// - Returns: The outcome for each socket, in order.
    public static func find(_ sockets: [SocketOrigin], uid: UInt32) -> [Outcome] {
        find(sockets, uid: uid, limits: SocketSearch.Limits())
    }

    /// Finds the holders within the limits of a search.
    static func find(_ sockets: [SocketOrigin], uid: UInt32, limits: SocketSearch.Limits) -> [Outcome] {
        do throws(IdentityRefusal) {
            let holders = try SocketSearch.holders(of: sockets.map(\.inode), uid: uid, limits: limits)
            let examination = try SocketExamination(of: sockets, uid: uid, holders: holders)
            return sockets.map(examination.outcome)
        } catch {
            return sockets.map { _ in .refused(error) }
        }
    }
}
