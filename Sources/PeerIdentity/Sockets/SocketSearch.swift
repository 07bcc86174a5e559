internal import AuthorizationPolicy
internal import Glibc

/// A search for the processes of a user that hold a socket, in proc(5).
///
/// Attack: a user starts 10,000 processes with 1,000 open files each, and connects. The search ends at a limit, and
/// the user's connections are refused. It does not look into other users' processes, so it never takes longer for the
/// sake of anybody else's.
///
/// So a process of another user that has received the socket does not show: an app that passes on its socket could
/// as well pass on what it reads.
struct SocketSearch {
    /// The bounds of a search.
    struct Limits {
        /// The maximum number of open files that are looked at. A desktop has some ten thousand.
        var openFiles = 250_000
        /// The maximum number of processes that hold the socket.
        var holders = SocketHolders.maximumCount
        /// The maximum duration, in milliseconds.
        var milliseconds: Int64 = 3_000
    }

    /// A process that holds the socket.
    struct Holder: Equatable {
        /// The ID of the process.
        let pid: pid_t
        /// The number of the socket's descriptor in the process.
        let descriptor: CInt
    }

    private let target: [UInt8]
    private let uid: UInt32
    private let deadline: Int64
    private let limits: Limits
    private var openFiles = 0
    private var holders: [Holder] = []

    private init(inode: UInt32, uid: UInt32, limits: Limits) {
        target = Self.target(ofInode: inode)
        self.uid = uid
        self.limits = limits
        deadline = Self.now() + limits.milliseconds
    }

    /// Returns the user's processes that hold the socket with this inode, each with one of its descriptors.
    static func holders(
        ofInode inode: UInt32, uid: UInt32, limits: Limits = Limits()
    ) throws(IdentityRefusal) -> [Holder] {
        var search = SocketSearch(inode: inode, uid: uid, limits: limits)
        try search.searchProcesses()
        return search.holders
    }

    /// Returns whether a process holds the socket with this inode under that descriptor.
    static func holds(_ holder: Holder, inode: UInt32) -> Bool {
        ProcFile.isLink("/proc/\(holder.pid)/fd/\(holder.descriptor)", in: AT_FDCWD, to: target(ofInode: inode))
    }

    /// Returns the link of a descriptor of a socket, proc(5).
    private static func target(ofInode inode: UInt32) -> [UInt8] { Array("socket:[\(inode)]".utf8) }

    private mutating func searchProcesses() throws(IdentityRefusal) {
        guard let processes = NumberedEntries(of: "/proc") else { return }
        while let pid = processes.next() {
            if isOfUser(pid, in: processes.descriptor) { try searchFiles(of: pid) }
            guard Self.now() < deadline else { throw .tooManyOpenFiles }
        }
    }

    /// Returns whether the user has started the process.
    ///
    /// The folder of a process belongs to its effective user. That is root if the user has started one of root's
    /// programs with the set-user-ID bit. Attack: a user starts thousands of these,
    /// each with a thousand files open, and the search for root's sockets has to look at them.
    private func isOfUser(_ pid: CInt, in processes: CInt) -> Bool {
        var status = stat()
        guard fstatat(processes, "\(pid)", &status, 0) == 0, [uid, 0].contains(status.st_uid) else { return false }
        return status.st_uid != 0 || ProcFile.uids(of: pid)?.first == uid
    }

    private mutating func searchFiles(of pid: CInt) throws(IdentityRefusal) {
        // A process that has ended, or that the caller may not look into, holds nothing that is found.
        guard let files = NumberedEntries(of: "/proc/\(pid)/fd") else { return }
        while let descriptor = files.next() {
            openFiles += 1
            guard openFiles <= limits.openFiles else { throw .tooManyOpenFiles }
            if openFiles % 1024 == 0, Self.now() >= deadline { throw .tooManyOpenFiles }
            guard ProcFile.isLink("\(descriptor)", in: files.descriptor, to: target) else { continue }
            guard holders.count < limits.holders else { throw .socketHeldByMany }
            return holders.append(Holder(pid: pid, descriptor: descriptor))
        }
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
