internal import AuthorizationPolicy
internal import Glibc
internal import Linux

/// A search for the processes of a user that hold certain sockets, in proc(5).
///
/// Attack: a user starts 10,000 processes with 1,000 open files each, and connects. The search ends at a limit, and the
/// user's connections are refused. It does not examine other users' processes, so they never make it slower.
///
/// Attack: a process that holds a socket makes itself unreadable (PR_SET_DUMPABLE), so that another app appears to be
/// the only holder. So a search that could not read one of the user's processes finds nothing.
///
/// A process of another user that has received the socket stays unseen: an app that passes its socket on could as well
/// pass on the data that it reads.
struct SocketSearch {
    /// The bounds of a search.
    struct Limits {
        /// The maximum number of open files that are examined. A desktop has some ten thousand.
        var openFiles = 250_000
        /// The maximum number of processes that are listed for one socket. The last one shows that there are too many.
        var holders = SocketHolders.maximumCount + 1
        /// The maximum processor time, in milliseconds. Time spent waiting for a processor on a busy machine does not
        /// count.
        var processorMilliseconds: Int64 = 3_000
    }

    /// A process that holds a socket.
    struct Holder: Equatable {
        /// The ID of the process.
        let pid: pid_t
        /// The number of the socket's descriptor in the process.
        let descriptor: CInt
    }

    private let uid: UInt32
    private let proc: String
    /// The processor time of this thread that ends the search, in milliseconds.
    private let deadline: Int64
    private let limits: Limits
    private var openFiles = 0
    private var holders: [UInt32: [Holder]]

    private init(_ inodes: some Sequence<UInt32>, uid: UInt32, proc: String, limits: Limits) {
        holders = Dictionary(inodes.map { ($0, []) }, uniquingKeysWith: { first, _ in first })
        self.uid = uid
        self.proc = proc
        self.limits = limits
        deadline = Self.processorTime() + limits.processorMilliseconds
    }

    /// Returns the user's processes that hold the sockets with these inodes, by inode. Each process is listed with one
    /// of its descriptors.
    ///
    /// - Parameter proc: The folder where proc(5) is mounted.
    static func holders(
        of inodes: some Sequence<UInt32>, uid: UInt32, proc: String = "/proc", limits: Limits = Limits()
    ) throws(IdentityRefusal) -> [UInt32: [Holder]] {
        var search = SocketSearch(inodes, uid: uid, proc: proc, limits: limits)
        try search.searchProcesses()
        return search.holders
    }

    /// Returns whether a process holds the socket with this inode under that descriptor.
    static func holds(_ holder: Holder, inode: UInt32) -> Bool {
        let link = ProcFile.socketInode(ofLink: "/proc/\(holder.pid)/fd/\(holder.descriptor)", in: AT_FDCWD)
        return (try? link.get()) == inode
    }

    private mutating func searchProcesses() throws(IdentityRefusal) {
        guard let processes = try? FolderEntries(of: proc.utf8) else { throw .processUnreadable }
        while true {
            let entry: FolderEntry?
            do throws(SystemCallError) { entry = try processes.next() } catch { throw .processUnreadable }
            guard let entry else { return }
            guard let pid = entry.number else { continue }
            if try isOfUser(pid, entry, in: processes.descriptor) { try searchFiles(of: pid) }
            guard Self.processorTime() < deadline else { throw .tooManyOpenFiles }
        }
    }

    /// Returns whether the user has started the process.
    ///
    /// The folder of a process belongs to its effective user: root, if the user has started one of root's programs with
    /// the set-user-ID bit. Attack: a user starts thousands of these, each with a thousand files open, and the search
    /// for root's sockets has to examine them.
    private func isOfUser(_ pid: CInt, _ entry: FolderEntry, in processes: CInt) throws(IdentityRefusal) -> Bool {
        let owner = try ifPresent { () throws(SystemCallError) in
            var status = stat()
            guard entry.withPath({ fstatat(processes, $0, &status, 0) }) == 0 else {
                throw SystemCallError("fstatat", errno)
            }
            return status.st_uid
        }
        guard let owner, owner == uid || owner == 0 else { return false }
        if owner != 0 { return true }
        guard runsProgram(pid, in: processes) else { return false }
        let folder = "\(proc)/\(pid)"
        return try ifPresent { () throws(SystemCallError) in try ProcFile.uids(folder) }?.first == uid
    }

    /// Returns `false` for a kernel thread or a process that has ended, which have nothing open. proc(5), `exe`.
    ///
    /// Attack: a user connects without end. Most of root's processes are kernel threads, and the kernel takes longer to
    /// write the status of each than all else that a search asks for.
    private func runsProgram(_ pid: CInt, in processes: CInt) -> Bool {
        var byte: CChar = 0
        return readlinkat(processes, "\(pid)/exe", &byte, 1) >= 0 || errno != ENOENT
    }

    private mutating func searchFiles(of pid: CInt) throws(IdentityRefusal) {
        let path = "\(proc)/\(pid)/fd"
        let opened = try ifPresent { () throws(SystemCallError) in try FolderEntries(of: path.utf8) }
        guard let files = opened else { return }
        while let entry = try ifPresent({ () throws(SystemCallError) in try files.next() }) ?? nil {
            guard let descriptor = entry.number else { continue }
            openFiles += 1
            guard openFiles <= limits.openFiles else { throw .tooManyOpenFiles }
            if openFiles % 1024 == 0, Self.processorTime() >= deadline { throw .tooManyOpenFiles }
            let link = entry.withPath { ProcFile.socketInode(ofLink: $0, in: files.descriptor) }
            let inode = try ifPresent { () throws(SystemCallError) in try link.get() } ?? nil
            if let inode { record(Holder(pid: pid, descriptor: descriptor), of: inode) }
        }
    }

    private mutating func record(_ holder: Holder, of inode: UInt32) {
        guard let known = holders[inode], known.count < limits.holders, known.last?.pid != holder.pid else { return }
        holders[inode]?.append(holder)
    }

    /// Returns the result of reading about a process, or `nil` if the process has ended or is passed over.
    private func ifPresent<Value: ~Copyable>(
        _ read: () throws(SystemCallError) -> Value
    ) throws(IdentityRefusal) -> Value? {
        do throws(SystemCallError) { return try read() } catch {
            guard Self.isPassedOver(error.errno, uid: uid, reader: geteuid()) else { throw .processUnreadable }
            return nil
        }
    }

    /// Returns whether a process of user `uid` is passed over because reading it failed with this error.
    ///
    /// Attack: a process is passed over because it cannot be read, and hides the sockets that it holds. So a process is
    /// passed over only if it has ended or has closed the descriptor. Processes of the reader's own user are the
    /// exception, because they can replace the reader itself: each user manager of systemd has one that a daemon
    /// without rights cannot read.
    static func isPassedOver(_ errno: CInt, uid: UInt32, reader: UInt32) -> Bool {
        switch errno {
        case ENOENT, ESRCH: true
        case EACCES, EPERM: uid == reader
        default: false
        }
    }

    /// Returns the processor time that this thread has used, in milliseconds.
    private static func processorTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
